package dev.grapnel.server.control;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.purgatory.hunt.Answer;
import dev.grapnel.purgatory.hunt.HuntPicture;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Lists what is hunted: what is missing, where it was looked for, what each address answered, and when it is tried
/// again.
public final class HuntListAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "hunt list";

    private static final int MOST = 10_000;

    private final boolean isEnabled;
    private final Hunts hunts;

    /// What is hunted now.
    public interface Hunts {
        /// Those that run first, then those that come next.
        List<HuntPicture> all(int most);

        Optional<HuntPicture> find(Identifier identifier);
    }

    public HuntListAnswer(boolean isEnabled, Hunts hunts) {
        this.isEnabled = isEnabled;
        this.hunts = hunts;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var one = CheckAnswer.findIdentifier(request);
        HuntNowAnswer.requireHunting(isEnabled);
        var pictures = one.isPresent() ? hunts.find(one.get()).stream().toList() : hunts.all(MOST);
        for (var picture : pictures) {
            output.requireWanted();
            output.line(line(picture));
        }
    }

    private static JsonWriter line(HuntPicture picture) {
        var line = new JsonWriter(512)
                .raw("{\"identifier\":")
                .string(picture.identifier().text())
                .raw(",\"running\":")
                .raw(Boolean.toString(picture.isRunning()))
                .raw(",\"attempts\":")
                .number(picture.attempts())
                .raw(",\"missing\":")
                .number(picture.missing());
        picture.nextAttempt().ifPresent(time -> line.raw(",\"nextAttempt\":").string(time.toString()));
        line.raw(",\"firstMissing\":");
        list(line, picture.firstMissing(), (out, id) -> out.string(id.toString()));
        line.raw(",\"answers\":");
        list(line, picture.answers(), HuntListAnswer::write);
        line.raw(",\"waitingAt\":");
        list(line, List.copyOf(picture.waitingAt()), (out, host) -> out.string(host.text()));
        return line.raw("}");
    }

    private static void write(JsonWriter out, Answer answer) {
        out.raw("{\"url\":")
                .string(answer.url())
                .raw(",\"at\":")
                .string(answer.at().toString())
                .raw(",\"result\":")
                .string(answer.result())
                .raw(",\"words\":")
                .string(answer.words())
                .raw(",\"reason\":")
                .string(answer.reason())
                .raw(",\"notNow\":")
                .string(answer.notNow())
                .raw(",\"oids\":")
                .number(answer.oids())
                .raw("}");
    }

    private static <T> void list(JsonWriter out, List<T> values, BiConsumer<JsonWriter, T> write) {
        out.raw("[");
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                out.raw(",");
            }
            write.accept(out, values.get(i));
        }
        out.raw("]");
    }
}
