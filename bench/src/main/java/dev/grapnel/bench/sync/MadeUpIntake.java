package dev.grapnel.bench.sync;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.sync.received.Arrivals.Path;
import dev.grapnel.sync.received.Intake;
import dev.grapnel.sync.received.IntakeConfig;
import dev.grapnel.sync.received.IntakeCounts;
import dev.grapnel.sync.received.IntakeNotes;
import dev.grapnel.sync.received.IntakeParts;
import dev.grapnel.sync.world.Archive;
import dev.grapnel.sync.world.Gate.Ruling;
import java.time.Duration;
import java.util.SplittableRandom;

/// The real intake in front of a gate that says what it is told to, at once.
final class MadeUpIntake {
    static final IntakeConfig CONFIG = IntakeConfig.of(Duration.ofMinutes(2), Duration.ofDays(7), "bench");

    private static final PublicKey SOMEBODY =
            SecretKey.parse("%064x".formatted(7)).require().publicKey();
    private static final long BEGIN = 1_780_000_000L;
    private static final int COMMENT = 1111;

    private final VirtualLoop loop = new VirtualLoop();
    private final Intake intake;
    private Ruling next = new Ruling.Stored();
    private long asked;

    MadeUpIntake(Archive archive) {
        var nobody = new Nobody();
        intake = new Intake(
                CONFIG,
                new IntakeParts(
                        loop,
                        (_, _, answer) -> {
                            asked++;
                            answer.accept(next);
                        },
                        archive,
                        nobody,
                        nobody,
                        nobody,
                        (_, _) -> {},
                        IntakeCounts.NONE,
                        IntakeNotes.NONE),
                new SplittableRandom(1));
        intake.start();
    }

    Intake intake() {
        return intake;
    }

    VirtualLoop loop() {
        return loop;
    }

    /// What the gate says from now on.
    void rule(Ruling ruling) {
        next = ruling;
    }

    /// How often the gate was asked.
    long asked() {
        return asked;
    }

    void receive(Event event) {
        intake.receive(event, 0, Path.LIVE, _ -> {});
    }

    /// A comment on something by its number.
    static Event comment(long number, long parent) {
        return UnsignedEvents.make(SOMEBODY, BEGIN + number, COMMENT, "e", id(parent));
    }

    /// The id of what comments refer to.
    static String id(long parent) {
        return "%016x".formatted(parent + 1).repeat(4);
    }
}
