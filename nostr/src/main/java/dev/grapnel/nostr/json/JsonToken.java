package dev.grapnel.nostr.json;

/// What [JsonScanner#next] has found.
public enum JsonToken {
    BEGIN_OBJECT,
    /// A name inside an object, its colon included; the text is the scanner's current string.
    NAME,
    END_OBJECT,
    BEGIN_ARRAY,
    END_ARRAY,
    /// A string value; the text is the scanner's current string.
    STRING,
    /// A number; its digits are the scanner's current literal.
    NUMBER,
    TRUE,
    FALSE,
    NULL,
    /// The one value has ended and nothing but white space followed.
    END,
    /// This is not JSON; [JsonScanner#failure] says why. Every further call answers the same.
    FAILURE
}
