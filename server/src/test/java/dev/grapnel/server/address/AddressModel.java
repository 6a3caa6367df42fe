package dev.grapnel.server.address;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The rules of relay 6.6 over the whole history, slow and obviously right. Time is in nanoseconds since the
/// start.
final class AddressModel {
    private static final long SECOND = 1_000_000_000;

    /// Of one sort of thing that one address did.
    static final class History {
        private final List<Long> attempts = new ArrayList<>();
        private final List<Long> grants = new ArrayList<>();

        /// In no stretch of time that ends now may there be more than the burst and what the rate brings
        /// meanwhile.
        boolean attempt(Rate rate, long now) {
            attempts.add(now);
            for (int i = 0; i < grants.size(); i++) {
                long beyondBurst = grants.size() - i + 1 - rate.burst();
                if (beyondBurst * rate.period().toNanos() > (now - grants.get(i)) * rate.amount()) {
                    return false;
                }
            }
            grants.add(now);
            return true;
        }

        /// Thirty seconds in a row, of which the last is this one or the one before.
        boolean isAbused(Rate rate, long now) {
            long second = now / SECOND;
            return isAbusedUntil(rate, second) || isAbusedUntil(rate, second - 1);
        }

        private boolean isAbusedUntil(Rate rate, long last) {
            var counts = new HashMap<Long, Integer>();
            attempts.forEach(time -> counts.merge(time / SECOND, 1, Integer::sum));
            for (long second = last - 29; second <= last; second++) {
                if (counts.getOrDefault(second, 0) < 10 * rate.amount()) {
                    return false;
                }
            }
            return true;
        }
    }

    final Map<String, History> histories = new HashMap<>();
    final List<ModelClient> open = new ArrayList<>();

    record ModelClient(String counted, boolean isExempt, Client client) {}

    History history(String what, String counted) {
        return histories.computeIfAbsent(what + " " + counted, _ -> new History());
    }

    /// What connecting comes to, in the name of the outcome.
    String connect(AddressLimits limits, String counted, boolean isExempt, long now) {
        if (open.size() >= limits.connectionsMax()) {
            return "Full";
        }
        if (isExempt) {
            return "Welcome";
        }
        long here = open.stream()
                .filter(client -> !client.isExempt() && client.counted().equals(counted))
                .count();
        if (here >= limits.connectionsPerAddress()) {
            return "TooManyHere";
        }
        return history("connect", counted).attempt(limits.newConnections(), now) ? "Welcome" : "TooFast";
    }

    boolean mayPublish(AddressLimits limits, ModelClient client, long now) {
        return client.isExempt() || history("publish", client.counted()).attempt(limits.events(), now);
    }

    boolean mayQuery(AddressLimits limits, ModelClient client, long now) {
        return client.isExempt() || history("query", client.counted()).attempt(limits.queries(), now);
    }

    boolean isAbusive(AddressLimits limits, ModelClient client, long now) {
        return !client.isExempt()
                && (history("publish", client.counted()).isAbused(limits.events(), now)
                        || history("query", client.counted()).isAbused(limits.queries(), now));
    }

    AddressFigures figures(AddressLimits limits) {
        var counts = new HashMap<String, Integer>();
        open.forEach(client -> counts.merge(client.isExempt() + client.counted(), 1, Integer::sum));
        return new AddressFigures(open.size(), counts.size(), (int) counts.values().stream()
                .filter(count -> count > limits.flaggedAbove())
                .count());
    }
}
