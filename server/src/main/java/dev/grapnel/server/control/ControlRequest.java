package dev.grapnel.server.control;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.server.control.JsonValue.Fields;
import java.util.Map;

/// What is asked of a server: `{"command":…,"arguments":{…}}`.
public record ControlRequest(String command, Fields arguments) {
    /// A request with arguments by name.
    public ControlRequest(String command, Map<String, JsonValue> arguments) {
        this(command, new Fields(arguments));
    }

    static Parsed<ControlRequest> parse(byte[] line) {
        return JsonValue.parse(line).then(value -> {
            if (!(value instanceof Fields fields)) {
                return Parsed.invalid("it is no JSON object");
            }
            return fields.findText("command")
                    .map(name -> Parsed.valid(new ControlRequest(
                            name, fields.findFields("arguments").orElse(new Fields(Map.of())))))
                    .orElse(Parsed.invalid("it names no command"));
        });
    }

    JsonWriter json() {
        var out = new JsonWriter(256).raw("{\"command\":").string(command).raw(",\"arguments\":");
        arguments.write(out);
        return out.raw("}");
    }
}
