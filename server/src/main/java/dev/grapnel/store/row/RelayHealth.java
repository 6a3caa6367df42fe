package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What is known about another machine, so that a restart does not hammer the dead ones (sync R6.7).
///
/// @param failures failures in a row
/// @param failingSince when the clock towards dead was started
/// @param lastSuccess when it last answered as it should
/// @param retryAt end of the wait after a failure
/// @param cooldownUntil end of the wait after it asked to slow down
/// @param parkedUntil end of the wait after it refused this service
/// @param learned what it was found to be able to do, each name once
public record RelayHealth(
        Remote remote,
        int failures,
        Optional<Instant> failingSince,
        Optional<Instant> lastSuccess,
        Optional<Instant> retryAt,
        Optional<Instant> cooldownUntil,
        Optional<Instant> parkedUntil,
        Optional<Naughty> naughty,
        List<LearnedLimit> learned)
        implements Row {
    /// @throws IllegalArgumentException if the number of failures is negative, or one limit is given twice
    public RelayHealth {
        Checks.notNegative("the number of failures", failures);
        failingSince = failingSince.map(Millis::of);
        lastSuccess = lastSuccess.map(Millis::of);
        retryAt = retryAt.map(Millis::of);
        cooldownUntil = cooldownUntil.map(Millis::of);
        parkedUntil = parkedUntil.map(Millis::of);
        learned = List.copyOf(learned);
        if (learned.stream().map(LearnedLimit::name).distinct().count() < learned.size()) {
            throw new IllegalArgumentException("a learned limit is given twice");
        }
    }

    @Override
    public Table table() {
        return Table.RELAY_HEALTH;
    }

    @Override
    public Bytes key() {
        return RowKeys.remote(remote);
    }
}
