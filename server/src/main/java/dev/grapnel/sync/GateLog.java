package dev.grapnel.sync;

import dev.grapnel.log.SafeText;
import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Announcement;
import dev.grapnel.nostr.repository.PullRequest;
import dev.grapnel.nostr.repository.PullRequestUpdate;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.repository.RepositoryState;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Gate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The same gate, and lines for what it says that operators look for (sync 9.2): `[PARSE_FAIL]` for announcements,
/// states and pull requests that cannot be read, keys of maintainers that are none, and each refusal for who looks
/// closely. Belongs to the loop.
///
/// Strangers can send any number of those, so there are only so many lines a minute.
public final class GateLog implements Gate {
    static final int PER_MINUTE_MAX = 60;

    private static final Logger LOG = LoggerFactory.getLogger(GateLog.class);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Gate gate;
    private final InstantSource clock;
    private final Consumer<Line> out;
    private Instant minuteEnd = Instant.MIN;
    private int lines;

    /// One line.
    record Line(Level level, String text) {}

    public GateLog(Gate gate, InstantSource clock) {
        this(gate, clock, line -> LOG.atLevel(line.level()).log(line.text()));
    }

    GateLog(Gate gate, InstantSource clock, Consumer<Line> out) {
        this.gate = gate;
        this.clock = clock;
        this.out = out;
    }

    @Override
    public void admit(Event event, RemoteUrl relay, Consumer<Ruling> answer) {
        gate.admit(event, relay, ruling -> {
            answer.accept(ruling); // first: no line is worth a verdict
            note(event, relay, ruling);
        });
    }

    private void note(Event event, RemoteUrl relay, Ruling ruling) {
        switch (ruling) {
            case Ruling.Refused(var reason, boolean isFinal, var _) -> {
                out.accept(new Line(
                        Level.DEBUG,
                        "sync.refused event_id=" + event.id() + " kind=" + event.kind() + " relay=" + relay + " reason="
                                + reason.name().toLowerCase(Locale.ROOT)));
                if (isFinal && hasRoom()) {
                    findDefect(event).ifPresent(defect -> parseFailed(event, defect));
                }
            }
            case Ruling.Stored _, Ruling.Held _ -> lookAtMaintainers(event);
            case Ruling.Duplicate _,
                    Ruling.Deleted _,
                    Ruling.Superseded _,
                    Ruling.SupersededByHeld _,
                    Ruling.KnownHeld _,
                    Ruling.Expired _,
                    Ruling.Gated _,
                    Ruling.Ahead _,
                    Ruling.Forged _,
                    Ruling.Failed _ -> {
                // nothing that an operator could change
            }
        }
    }

    private static Optional<String> findDefect(Event event) {
        return switch (event.kind()) {
            case Kinds.ANNOUNCEMENT -> reason(Announcement.parse(event));
            case Kinds.STATE -> reason(RepositoryState.parse(event));
            case Kinds.PULL_REQUEST -> reason(PullRequest.parse(event));
            case Kinds.PULL_REQUEST_UPDATE -> reason(PullRequestUpdate.parse(event));
            default -> Optional.empty();
        };
    }

    private static <T> Optional<String> reason(Parsed<T> parsed) {
        return parsed instanceof Parsed.Invalid<T>(var reason) ? Optional.of(reason) : Optional.empty();
    }

    /// A line for each repository that it is about.
    private void parseFailed(Event event, String defect) {
        var addresses = switch (event.kind()) {
            case Kinds.ANNOUNCEMENT, Kinds.STATE -> List.<RepositoryAddress>of();
            default -> RepositoryAddress.namedBy(event);
        };
        if (addresses.isEmpty()) {
            parseFailed(event, defect, event.tags().findValue("d").orElse(""), event.author());
        }
        addresses.forEach(
                address -> parseFailed(event, defect, address.identifier().text(), address.owner()));
    }

    private void parseFailed(Event event, String defect, String identifier, PublicKey owner) {
        bounded(
                Level.INFO,
                () -> "[PARSE_FAIL] kind=" + event.kind() + " event_id=" + event.id() + " reason=" + quoted(defect)
                        + " repo=" + quoted(identifier) + " npub=" + new Npub(owner).text());
    }

    private void lookAtMaintainers(Event event) {
        if (event.kind() != Kinds.ANNOUNCEMENT || !hasRoom()) {
            return;
        }
        long invalid = Announcement.parse(event).find().stream()
                .flatMap(announcement -> announcement.maintainers().stream())
                .filter(text ->
                        PublicKey.parse(text.toLowerCase(Locale.ROOT)).find().isEmpty())
                .count();
        if (invalid > 0) {
            bounded(
                    Level.WARN,
                    () -> "sync.invalid_maintainer event_id=" + event.id() + " items=" + invalid
                            + ": these values are no keys and are ignored");
        }
    }

    /// Strangers chose it: it must not look like another field.
    private static String quoted(String text) {
        return "\"" + SafeText.of(text).replace("\"", "'") + "\"";
    }

    /// Whether there is room for a line in this minute, or for the one that tells that there is not.
    private boolean hasRoom() {
        var now = clock.instant();
        if (!now.isBefore(minuteEnd)) {
            minuteEnd = now.plus(MINUTE);
            lines = 0;
        }
        return lines <= PER_MINUTE_MAX;
    }

    /// @param text made only if there is room: one event may be about tens of thousands of repositories
    private void bounded(Level level, Supplier<String> text) {
        if (!hasRoom()) {
            return;
        }
        if (++lines <= PER_MINUTE_MAX) {
            out.accept(new Line(level, text.get()));
        } else {
            out.accept(new Line(Level.WARN, "sync.log_full: more of these follow and are left out for a minute"));
        }
    }
}
