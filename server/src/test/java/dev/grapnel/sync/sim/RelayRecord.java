package dev.grapnel.sync.sim;

import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.SubscriptionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// What a relay was asked, by whom and when, and what it refused: how polite its clients are is seen from here (I8,
/// I21,
/// I22). Only so much is kept; whoever must see everything listens.
final class RelayRecord {
    private static final int KEPT_MAX = 20_000;

    private final Deque<Request> requests = new ArrayDeque<>();
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private final Map<Long, Usage> usages = new LinkedHashMap<>();
    private final Map<Purpose, Long> counts = new EnumMap<>(Purpose.class);
    private final Map<Limit, Long> refused = new EnumMap<>(Limit.class);
    private final List<Consumer<Request>> requestListeners = new ArrayList<>();
    private final List<Consumer<Refusal>> refusalListeners = new ArrayList<>();
    private final List<Consumer<Usage>> usageListeners = new ArrayList<>();
    private long deliveries;

    /// Why somebody asks, as far as one can see that from outside (R3.9).
    enum Purpose {
        LIVE,
        HISTORIC,
        CATCH_UP,
        IDS,
        NEGENTROPY;

        static Purpose of(SubscriptionId id, List<Filter> filters) {
            if (filters.stream().anyMatch(filter -> filter.limit().orElse(-1) == 0)) {
                return LIVE;
            }
            if (filters.stream().anyMatch(filter -> filter.ids().isPresent())) {
                return IDS;
            }
            return switch (id.text().isEmpty() ? ' ' : id.text().charAt(0)) {
                case 'a', 'l' -> LIVE;
                case 'c' -> CATCH_UP;
                case 'i' -> IDS;
                default -> HISTORIC;
            };
        }
    }

    /// What was beyond a limit.
    enum Limit {
        SUBSCRIPTIONS,
        SESSIONS,
        FILTERS,
        OPEN_BYTES,
        VALUES,
        MESSAGE_BYTES,
        LIMIT_ZERO,
        ITEMS,
        QUERIES,
        FRAMES,
        AUTH,
        BACKLOG,
        BAN;

        /// Whether it is about what one asks and not about how often (R4.20, lines 1 to 7).
        boolean isStructural() {
            return switch (this) {
                case SUBSCRIPTIONS, SESSIONS, FILTERS, OPEN_BYTES, VALUES, LIMIT_ZERO, ITEMS -> true;
                case MESSAGE_BYTES, QUERIES, FRAMES, AUTH, BACKLOG, BAN -> false;
            };
        }
    }

    /// A REQ or NEG-OPEN.
    ///
    /// @param at by the clock of the world
    record Request(
            long at,
            String client,
            long connection,
            Purpose purpose,
            SubscriptionId id,
            List<Filter> filters,
            int bytes) {
        Request {
            filters = List.copyOf(filters);
        }
    }

    /// Something was not done.
    record Refusal(long at, String client, long connection, Limit limit, String text) {}

    /// How much one connection has open, now and at most.
    static final class Usage {
        final long connection;
        final String client;
        final long begun;
        int subscriptions;
        int sessions;
        int liveBytes;
        long frames;
        int slotsMost;
        int liveBytesMost;

        Usage(long connection, String client, long begun) {
            this.connection = connection;
            this.client = client;
            this.begun = begun;
        }

        /// Subscriptions and sessions that are open.
        int slots() {
            return subscriptions + sessions;
        }

        void frame() {
            frames++;
        }
    }

    Usage connected(long connection, String client, long now) {
        var usage = new Usage(connection, client, now);
        usages.put(connection, usage);
        if (usages.size() > KEPT_MAX) {
            usages.remove(usages.keySet().iterator().next());
        }
        return usage;
    }

    void asked(Request request) {
        counts.merge(request.purpose(), 1L, Long::sum);
        keep(requests, request);
        requestListeners.forEach(listener -> listener.accept(request));
    }

    void refused(Refusal refusal) {
        refused.merge(refusal.limit(), 1L, Long::sum);
        keep(refusals, refusal);
        refusalListeners.forEach(listener -> listener.accept(refusal));
    }

    void changed(Usage usage) {
        usage.slotsMost = Math.max(usage.slotsMost, usage.slots());
        usage.liveBytesMost = Math.max(usage.liveBytesMost, usage.liveBytes);
        usageListeners.forEach(listener -> listener.accept(usage));
    }

    void delivered() {
        deliveries++;
    }

    private static <T> void keep(Deque<T> kept, T more) {
        kept.add(more);
        if (kept.size() > KEPT_MAX) {
            kept.remove();
        }
    }

    /// Hears of every request.
    void watchRequests(Consumer<Request> listener) {
        requestListeners.add(listener);
    }

    /// Hears of every refusal.
    void watchRefusals(Consumer<Refusal> listener) {
        refusalListeners.add(listener);
    }

    /// Hears of every change of what a connection has open.
    void watchUsage(Consumer<Usage> listener) {
        usageListeners.add(listener);
    }

    /// The last requests.
    List<Request> requests() {
        return List.copyOf(requests);
    }

    List<Request> requests(Predicate<Request> which) {
        return requests.stream().filter(which).toList();
    }

    /// The last refusals.
    List<Refusal> refusals() {
        return List.copyOf(refusals);
    }

    long count(Purpose purpose) {
        return counts.getOrDefault(purpose, 0L);
    }

    long count(Limit limit) {
        return refused.getOrDefault(limit, 0L);
    }

    /// Events that were sent.
    long deliveries() {
        return deliveries;
    }

    /// The last connections, those that are over included.
    List<Usage> usages() {
        return List.copyOf(usages.values());
    }

    Optional<Usage> lastUsage(String client) {
        return usages.values().stream()
                .filter(usage -> usage.client.equals(client))
                .reduce((_, later) -> later);
    }
}
