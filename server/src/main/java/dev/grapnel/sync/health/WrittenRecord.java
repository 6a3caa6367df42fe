package dev.grapnel.sync.health;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.store.row.LearnedLimit;
import dev.grapnel.store.row.Naughty;
import dev.grapnel.store.row.Naughty.Fault;
import dev.grapnel.store.row.RelayHealth;
import dev.grapnel.store.row.Remote;
import dev.grapnel.sync.health.Learned.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A [RelayRecord] as a row, and back. Deadlines are written as dates, so that time passes for them while we are
/// away (R6.7). The clock may have been set meanwhile: nobody waits longer than after what happened by any clock.
///
/// @param now on the clocks that never go back
/// @param wall the same moment as a date
/// @param config how long anybody waits
record WrittenRecord(Moment now, Instant wall, HealthConfig config) {
    /// For how long a relay is remembered that nobody wants (R4.35).
    static final Duration MEMORY = Duration.ofDays(7);

    private static final String COOLDOWNS = "COOLDOWNS";
    private static final String WANTED = "WANTED";

    /// A relay's record, taken back.
    ///
    /// @param wantedAt when the relay was last wanted
    record Read(RemoteUrl relay, RelayRecord record, Instant wantedAt) {}

    RelayHealth write(RemoteUrl relay, RelayRecord record, Instant wantedAt) {
        long nanos = now.nanos();
        int streak = record.streak(nanos);
        return new RelayHealth(
                new Remote(Remote.Type.RELAY, relay.text()),
                streak,
                streak == 0 ? Optional.empty() : Optional.of(date(record.failingSince(), now.counted())),
                record.wasUp() ? Optional.of(date(record.upSince(), nanos)) : Optional.empty(),
                end(record.retry().left(nanos)),
                end(record.cooldown().left(nanos)),
                end(record.parked().left(nanos)),
                writeFault(record.protocol()),
                writeLearned(record, wantedAt));
    }

    private Instant date(long at, long from) {
        return wall.plusNanos(at - from);
    }

    private Optional<Instant> end(long left) {
        return left == 0 ? Optional.empty() : Optional.of(wall.plusNanos(left));
    }

    private Optional<Naughty> writeFault(ProtocolFault fault) {
        return fault.count() == 0
                ? Optional.empty()
                : Optional.of(new Naughty(
                        Fault.PROTOCOL_ERROR,
                        date(fault.firstAt(), now.nanos()),
                        date(fault.lastAt(), now.nanos()),
                        fault.count(),
                        date(fault.until(), now.nanos()),
                        Optional.empty()));
    }

    private List<LearnedLimit> writeLearned(RelayRecord record, Instant wantedAt) {
        var written = new ArrayList<LearnedLimit>();
        record.learned().entries().forEach((trait, entry) -> {
            if (wall.isBefore(entry.until())) {
                written.add(new LearnedLimit(trait.name(), entry.value(), entry.until()));
            }
        });
        var cooldown = record.cooldown();
        if (!cooldown.isForgotten(now.nanos())) {
            var until = date(cooldown.until(), now.nanos()).plus(Cooldown.PEACE);
            written.add(new LearnedLimit(COOLDOWNS, cooldown.level(), until));
        }
        written.add(new LearnedLimit(WANTED, 0, wantedAt.plus(MEMORY)));
        return written;
    }

    /// What a row says.
    ///
    /// @return empty if the row is about nothing we know, or was remembered long enough
    Optional<Read> read(RelayHealth row) {
        var wantedAt = find(row, WANTED).map(limit -> limit.until().minus(MEMORY));
        var url =
                RemoteUrl.parse(row.remote().text(), UrlShape.configuredRelay()).find();
        if (row.remote().type() != Remote.Type.RELAY
                || url.isEmpty()
                || wantedAt.isEmpty()
                || !wall.isBefore(wantedAt.get().plus(MEMORY))) {
            return Optional.empty();
        }
        // a date to come is of a clock that was set back
        var wanted = wantedAt.get().isAfter(wall) ? wall : wantedAt.get();
        return Optional.of(new Read(url.get(), record(row), wanted));
    }

    private RelayRecord record(RelayHealth row) {
        var record = new RelayRecord();
        row.failingSince().ifPresent(since -> {
            long passed = Math.max(0, Duration.between(since, wall).toNanos());
            record.restoreStreak(row.failures(), now.counted() - passed, now);
        });
        row.lastSuccess().ifPresent(since -> record.restoreUp(nanosOf(since, Duration.ZERO)));
        row.retryAt().ifPresent(until -> record.retry().extend(nanosOf(until, retryMax(record))));
        row.parkedUntil().ifPresent(until -> record.parked().extend(nanosOf(until, RelayRecord.PARKED_MAX)));
        find(row, COOLDOWNS).ifPresent(limit -> readCooldown(limit, record.cooldown()));
        row.naughty().ifPresent(fault -> readFault(fault, record.protocol()));
        row.learned().forEach(limit -> readLearned(limit, record.learned()));
        return record;
    }

    private Duration retryMax(RelayRecord record) {
        if (record.isDead(now)) {
            return RelayRecord.DEAD;
        }
        int failures = record.streak(now.nanos());
        return failures == 0 ? RelayRecord.POSTPONED_MAX : config.backoff().after(failures);
    }

    private void readCooldown(LearnedLimit limit, Cooldown cooldown) {
        if (wall.isBefore(limit.until())) {
            int level = Math.clamp(limit.value(), 0, Cooldown.LEVEL_MAX);
            cooldown.restore(level, nanosOf(limit.until().minus(Cooldown.PEACE), Cooldown.MAX));
        }
    }

    private void readFault(Naughty fault, ProtocolFault protocol) {
        protocol.restore(
                fault.count(),
                nanosOf(fault.firstSeen(), Duration.ZERO),
                nanosOf(fault.lastSeen(), Duration.ZERO),
                nanosOf(fault.until(), config.naughtyPeriod()));
    }

    private void readLearned(LearnedLimit limit, Learned learned) {
        var latest = wall.plus(MEMORY);
        Arrays.stream(Trait.values())
                .filter(trait -> trait.name().equals(limit.name()))
                .forEach(trait ->
                        learned.learn(trait, limit.value(), limit.until().isBefore(latest) ? limit.until() : latest));
    }

    private static Optional<LearnedLimit> find(RelayHealth row, String name) {
        return row.learned().stream().filter(limit -> limit.name().equals(name)).findFirst();
    }

    /// A date on the clock that never goes back; at most so far ahead.
    private long nanosOf(Instant date, Duration max) {
        var ahead = Duration.between(wall, date);
        return Deadline.after(now.nanos(), ahead.compareTo(max) < 0 ? ahead : max);
    }
}
