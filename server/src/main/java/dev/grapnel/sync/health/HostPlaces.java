package dev.grapnel.sync.health;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// At most three URLs of one host and port are connected at once (R1.16): paths cost nothing, so a stranger could name
/// one server a thousand times.
final class HostPlaces {
    private static final int URLS_MAX = 3;

    private final Map<String, Host> hosts = new HashMap<>();

    private record Host(List<Seat> inUse, List<Seat> held) {
        boolean isFull() {
            return inUse.size() >= URLS_MAX;
        }
    }

    private static String nameOf(Seat seat) {
        var url = seat.candidate().url();
        return url.host().text() + ":" + url.port();
    }

    /// Whether there is a place for it.
    boolean isFree(Seat seat) {
        var host = hosts.get(nameOf(seat));
        return host == null || seat.isBootstrap() || !host.isFull();
    }

    /// Whose place it should have, if somebody is to go for it now.
    Optional<Seat> findYielding(Seat seat, long now) {
        return Yielding.findYielding(of(seat).inUse(), seat, now);
    }

    /// It is connected, or about to be.
    void take(Seat seat) {
        of(seat).inUse().add(seat);
    }

    /// It is connected no more.
    void free(Seat seat) {
        of(seat).inUse().remove(seat);
        forget(seat);
    }

    /// Who of the same host comes next, if there is a place.
    Optional<Seat> findNext(Seat seat) {
        var host = hosts.get(nameOf(seat));
        return host == null || host.isFull() ? Optional.empty() : Yielding.findNext(host.inUse(), host.held());
    }

    /// Of each host where somebody waits: who would come first by rank, and who by turn.
    List<Seat> foremost() {
        return hosts.values().stream()
                .filter(host -> !host.held().isEmpty())
                .flatMap(host ->
                        Stream.of(Seat.RANK, Seat.TURN).flatMap(order -> host.held().stream().min(order).stream()))
                .distinct()
                .toList();
    }

    /// It waits for a place.
    void hold(Seat seat) {
        of(seat).held().add(seat);
    }

    /// It waits no more.
    void unhold(Seat seat) {
        of(seat).held().remove(seat);
        forget(seat);
    }

    private Host of(Seat seat) {
        return hosts.computeIfAbsent(nameOf(seat), _ -> new Host(new ArrayList<>(), new ArrayList<>()));
    }

    private void forget(Seat seat) {
        var host = of(seat);
        if (host.inUse().isEmpty() && host.held().isEmpty()) {
            hosts.remove(nameOf(seat));
        }
    }
}
