package dev.grapnel.nostr.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.grapnel.nostr.Hex;
import dev.grapnel.nostr.Word256;
import dev.grapnel.nostr.event.EventDefect.Kind;
import dev.grapnel.nostr.json.JsonScanner;
import dev.grapnel.nostr.json.JsonText;
import dev.grapnel.nostr.json.JsonToken;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.Signature;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One pass over one event object: collects the seven fields, then assembles the normalised form.
///
/// The first defect is kept and reading goes on, because the rest must still be JSON and the id, which the
/// answer echoes, may come last. While reading, nothing is copied: fields are noted as ranges of the input,
/// and since canonical text is never longer than what it was read from, one array of exactly the right size
/// is filled at the end.
final class EventPass {
    private static final String[] FIELDS = {"id", "pubkey", "created_at", "kind", "tags", "content", "sig"};
    private static final byte[][] NAMES =
            Arrays.stream(FIELDS).map(name -> name.getBytes(US_ASCII)).toArray(byte[][]::new);
    private static final int ID = 0;
    private static final int PUBKEY = 1;
    private static final int CREATED_AT = 2;
    private static final int KIND = 3;
    private static final int TAGS = 4;
    private static final int CONTENT = 5;
    private static final int SIG = 6;
    private static final int ALL = (1 << FIELDS.length) - 1;
    static final long CREATED_AT_MAX = (1L << 53) - 1;

    private final JsonScanner scanner;
    private final byte[] in;
    private final EventLimits limits;
    private final int from;

    private int seen;
    private long[] unknownNames = new long[0];
    private int unknownCount;
    private @Nullable EventDefect defect;
    private String claimedId = "";
    private boolean idTwice;

    private Digest id = Digest.NONE;
    private Digest author = Digest.NONE;
    private Digest signature = Digest.NONE;
    private long createdAt;
    private int createdAtFrom;
    private int kind;
    private Tags.Index index = new Tags.Index();
    private Piece tags = Piece.NONE;
    private Piece content = Piece.NONE;

    /// Checked hex digits: where they stand.
    private static final class Digest {
        static final Digest NONE = new Digest(new byte[0], 0, false);
        private final byte[] ascii;
        private final int at;
        private final boolean inInput;

        Digest(byte[] ascii, int at, boolean inInput) {
            this.ascii = ascii;
            this.at = at;
            this.inInput = inInput;
        }

        /// Whether the input itself has them there.
        boolean isAt(int index) {
            return inInput && at == index;
        }
    }

    /// A range of the input that is valid JSON, and how it becomes canonical.
    private record Piece(int from, int to, int canonicalLength, boolean canonical) {
        static final Piece NONE = new Piece(0, 0, 0, true);
    }

    EventPass(JsonScanner scanner, byte[] in, EventLimits limits) {
        this.scanner = scanner;
        this.in = in;
        this.limits = limits;
        this.from = scanner.position() - 1;
    }

    ParsedEvent run() {
        while (true) {
            switch (scanner.next()) {
                case NAME -> {
                    if (!field()) {
                        return new ParsedEvent.Unreadable(scanner.failure());
                    }
                }
                case END_OBJECT -> {
                    return idTwice ? new ParsedEvent.Unreadable("field id is given twice") : outcome();
                }
                default -> {
                    return new ParsedEvent.Unreadable(scanner.failure());
                }
            }
        }
    }

    /// Reads one field, its name being the current string. False if the text is not JSON.
    private boolean field() {
        int field = fieldNamed();
        if (field < 0) {
            return scanner.skip(scanner.next());
        }
        boolean again = (seen & 1 << field) != 0;
        seen |= 1 << field;
        if (again) {
            idTwice |= field == ID;
            note(Kind.FIELD_TWICE, "field " + FIELDS[field] + " is given twice");
            return scanner.skip(scanner.next());
        }
        return value(field, scanner.next());
    }

    /// The field the current string names; most have a length of their own, so one comparison decides.
    private int fieldNamed() {
        int candidate = switch (scanner.decodedLength()) {
            case 2 -> ID;
            case 3 -> SIG;
            case 4 -> scanner.textIs(NAMES[KIND]) ? KIND : TAGS;
            case 6 -> PUBKEY;
            case 7 -> CONTENT;
            case 10 -> CREATED_AT;
            default -> -1;
        };
        if (candidate >= 0 && scanner.textIs(NAMES[candidate])) {
            return candidate;
        }
        if (!scanner.hasLoneSurrogate()) {
            rememberUnknownName();
        }
        return -1;
    }

    /// Unknown names are remembered only to find one given twice: by hash, since a message may hold a million
    /// of them and a false alarm would need a collision of 64 bits that nobody can prepare.
    private void rememberUnknownName() {
        if (unknownCount == unknownNames.length) {
            unknownNames = Arrays.copyOf(unknownNames, Math.max(8, unknownCount * 2));
        }
        unknownNames[unknownCount++] = scanner.isCanonical()
                ? SeededHash.of(in, scanner.textFrom(), scanner.textTo())
                : hashOf(scanner.canonicalText());
    }

    private static long hashOf(byte[] bytes) {
        return SeededHash.of(bytes, 0, bytes.length);
    }

    private boolean value(int field, JsonToken token) {
        switch (field) {
            case ID -> id = id(token);
            case PUBKEY -> author = hex("pubkey", Word256.DIGITS, token);
            case CREATED_AT -> {
                createdAt = number("created_at", CREATED_AT_MAX, token);
                createdAtFrom = scanner.textFrom();
            }
            case KIND -> kind = (int) number("kind", Kinds.MAX, token);
            case TAGS -> {
                return tags(token);
            }
            case CONTENT -> content(token);
            case SIG -> signature = hex("sig", Signature.DIGITS, token);
            default -> throw new IllegalStateException("field " + field);
        }
        return scanner.skip(token);
    }

    private Digest id(JsonToken token) {
        var digits = hex("id", Word256.DIGITS, token);
        boolean text = token == JsonToken.STRING && !scanner.hasLoneSurrogate();
        if (digits == Digest.NONE && text && scanner.decodedLength() == Word256.DIGITS) {
            claimedId = scanner.text();
        }
        return digits;
    }

    private Digest hex(String name, int digits, JsonToken token) {
        if (token != JsonToken.STRING) {
            note(Kind.WRONG_TYPE, "field " + name + " is not a string");
            return Digest.NONE;
        }
        if (scanner.decodedLength() == digits && !scanner.hasLoneSurrogate()) {
            var ascii = scanner.isEscaped() ? scanner.text().getBytes(StandardCharsets.UTF_8) : in;
            int at = scanner.isEscaped() ? 0 : scanner.textFrom();
            if (Hex.isHex(ascii, at, at + digits)) {
                return new Digest(ascii, at, !scanner.isEscaped());
            }
        }
        note(Kind.NOT_HEX, "field " + name + " is not " + digits + " lower-case hex digits");
        return Digest.NONE;
    }

    private long number(String name, long max, JsonToken token) {
        long number = token == JsonToken.NUMBER ? scanner.plainInteger() : -1;
        if (number < 0) {
            note(Kind.WRONG_TYPE, "field " + name + " is not a plain whole number");
        } else if (number > max) {
            note(Kind.OUT_OF_RANGE, "field " + name + " is above " + max);
        }
        return number;
    }

    private void content(JsonToken token) {
        if (token != JsonToken.STRING) {
            note(Kind.WRONG_TYPE, "field content is not a string");
            return;
        }
        content = new Piece(
                scanner.textFrom() - 1, scanner.textTo() + 1, scanner.canonicalLength() + 2, scanner.isCanonical());
    }

    private boolean tags(JsonToken token) {
        if (token != JsonToken.BEGIN_ARRAY) {
            note(Kind.WRONG_TYPE, "field tags is not an array");
            return scanner.skip(token);
        }
        int from = scanner.position() - 1;
        boolean canonical = true;
        for (var next = scanner.next(); next != JsonToken.END_ARRAY; next = scanner.next()) {
            if (next != JsonToken.BEGIN_ARRAY || defect != null) {
                note(Kind.WRONG_TYPE, "a tag is not an array of strings");
                if (!scanner.skip(next)) {
                    return false;
                }
            } else if (index.tags() == limits.tagsMax()) {
                note(Kind.TAGS_EXCEEDED, "more than " + limits.tagsMax() + " tags");
                scanner.skip(next);
            } else {
                canonical &= tag();
            }
        }
        int length = scanner.position() - from;
        tags = new Piece(from, scanner.position(), index.length(), canonical && length == index.length());
        return true;
    }

    /// Reads one tag; whether all its elements are canonical. A failure of the scanner is seen by the
    /// caller's next step.
    private boolean tag() {
        index.beginTag();
        boolean canonical = true;
        for (var next = scanner.next(); next != JsonToken.END_ARRAY; next = scanner.next()) {
            if (next == JsonToken.FAILURE) {
                return false;
            }
            if (next != JsonToken.STRING) {
                note(Kind.WRONG_TYPE, "a tag is not an array of strings");
                scanner.skip(next);
                continue;
            }
            if (scanner.decodedLength() > limits.tagValueBytesMax()) {
                note(Kind.TAG_VALUE_TOO_LONG, "a tag element has more than " + limits.tagValueBytesMax() + " bytes");
            }
            if (defect == null) {
                index.add(scanner.canonicalLength(), scanner.isEscaped(), letter());
                canonical &= scanner.isCanonical();
            }
        }
        if (index.tagElements() == 0) {
            note(Kind.EMPTY_TAG, "a tag is empty");
        }
        index.endTag();
        return canonical;
    }

    private int letter() {
        if (scanner.canonicalLength() != 1) {
            return -1;
        }
        return Tags.letterBit(scanner.isEscaped() ? scanner.text().charAt(0) : in[scanner.textFrom()]);
    }

    private ParsedEvent outcome() {
        if (scanner.takeLoneSurrogate()) {
            note(Kind.LONE_SURROGATE, "a string holds half of a surrogate pair");
        }
        checkNames();
        if (defect == null && content.canonicalLength() - 2 > limits.contentMax()) {
            checkContent();
        }
        if (defect != null) {
            return refused(defect);
        }
        int length = normalisedLength();
        return length > limits.eventBytesMax()
                ? refused(new EventDefect(
                        Kind.EVENT_TOO_LARGE,
                        "event too large: " + length + " bytes, at most " + limits.eventBytesMax()))
                : assemble(length);
    }

    private void checkNames() {
        for (int field = 0; field < FIELDS.length && seen != ALL; field++) {
            if ((seen & 1 << field) == 0) {
                note(Kind.FIELD_MISSING, "field " + FIELDS[field] + " is missing");
            }
        }
        Arrays.sort(unknownNames, 0, unknownCount);
        for (int i = 1; i < unknownCount; i++) {
            if (unknownNames[i] == unknownNames[i - 1]) {
                note(Kind.FIELD_TWICE, "an unknown field is given twice");
            }
        }
    }

    private void checkContent() {
        var canonical = new byte[content.to() - content.from()];
        int length = JsonText.canonicalise(in, content.from(), content.to(), canonical, 0);
        if (JsonText.codePoints(canonical, 1, length - 1) > limits.contentMax()) {
            note(Kind.CONTENT_TOO_LONG, "content has more than " + limits.contentMax() + " characters");
        }
    }

    private void note(Kind kind, String text) {
        if (defect == null) {
            defect = new EventDefect(kind, text);
        }
    }

    /// The id is echoed if it is hex of any case; good ones are made text only here, where they are needed.
    private ParsedEvent refused(EventDefect because) {
        var claimed = id == Digest.NONE ? claimedId : new String(id.ascii, id.at, Word256.DIGITS, US_ASCII);
        return Hex.isHexOfAnyCase(claimed, Word256.DIGITS)
                ? new ParsedEvent.Defective(claimed, because)
                : new ParsedEvent.Nameless(because);
    }

    private int normalisedLength() {
        return Layout.FIXED
                + Digits.count(createdAt)
                + Digits.count(kind)
                + tags.canonicalLength()
                + content.canonicalLength();
    }

    private ParsedEvent assemble(int length) {
        int tagsFrom = Layout.CREATED_AT_AT
                + Digits.count(createdAt)
                + Layout.KIND.length
                + Digits.count(kind)
                + Layout.TAGS.length;
        int contentFrom = tagsFrom + tags.canonicalLength() + Layout.CONTENT.length;
        var json = isNormalised(length, tagsFrom, contentFrom)
                ? Arrays.copyOfRange(in, from, from + length)
                : normalise(length);
        return verifyId(json, tagsFrom, contentFrom);
    }

    /// Whether the input already is the normalised form, as most clients send it. If every part stands where it stands
    /// there, what lies between can only be the shortest way to write it, which is the normal one.
    private boolean isNormalised(int length, int tagsFrom, int contentFrom) {
        return tags.canonical()
                && content.canonical()
                && id.isAt(from + Layout.ID_AT)
                && author.isAt(from + Layout.PUBKEY_AT)
                && createdAtFrom == from + Layout.CREATED_AT_AT
                && tags.from() == from + tagsFrom
                && content.from() == from + contentFrom
                && signature.isAt(content.to() + Layout.SIG.length)
                && scanner.position() == from + length;
    }

    private byte[] normalise(int length) {
        var out = new Layout(length);
        out.raw(Layout.ID).digits(id.ascii, id.at, Word256.DIGITS);
        out.raw(Layout.PUBKEY).digits(author.ascii, author.at, Word256.DIGITS);
        out.raw(Layout.CREATED_AT).number(createdAt);
        out.raw(Layout.KIND).number(kind);
        out.raw(Layout.TAGS).json(in, tags.from(), tags.to(), tags.canonical());
        out.raw(Layout.CONTENT).json(in, content.from(), content.to(), content.canonical());
        out.raw(Layout.SIG).digits(signature.ascii, signature.at, Signature.DIGITS);
        return out.raw(Layout.END).filled();
    }

    private ParsedEvent verifyId(byte[] json, int tagsFrom, int contentFrom) {
        var key = PublicKey.ofHex(author.ascii, author.at);
        var hash = EventHash.of(
                json,
                Digits.count(createdAt),
                Digits.count(kind),
                new EventHash.Span(tagsFrom, tags.canonicalLength()),
                new EventHash.Span(contentFrom, content.canonicalLength()));
        if (!hash.equals(EventId.ofHex(id.ascii, id.at))) {
            return refused(new EventDefect(Kind.WRONG_ID, "id is not the hash of the event, which is " + hash));
        }
        return new ParsedEvent.Valid(
                new Event(json, contentFrom + 1, hash, key, createdAt, kind, index.build(json, tagsFrom)));
    }
}
