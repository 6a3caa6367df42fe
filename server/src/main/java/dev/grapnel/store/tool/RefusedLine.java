package dev.grapnel.store.tool;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.json.JsonWriter;
import java.util.Optional;

/// A line of which no event was taken.
///
/// @param source where it was read
/// @param line its number there, from 1
/// @param id of the event, as the line gives it
/// @param reason why, in full
/// @param group why, without what only this line has
/// @param isFault whether the line is not a signed event at all; otherwise it is one that this store does not
///     keep
public record RefusedLine(String source, long line, Optional<String> id, String reason, String group, boolean isFault) {
    /// As one line of JSON, without its end.
    public Bytes json() {
        var json = new JsonWriter(200);
        json.raw("{\"file\":").string(source).raw(",\"line\":").number(line).raw(",\"id\":");
        id.ifPresentOrElse(json::string, () -> json.raw("null"));
        return json.raw(",\"reason\":").string(reason).raw("}").toBytes();
    }
}
