package dev.grapnel.sync.health;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// At most three URLs of one host and port are connected at once (R1.16): paths cost nothing, so a stranger could name
/// one server a thousand times. The relays that more repositories name go first here, too.
final class HostPlaces {
    private static final int URLS_MAX = 3;

    private final Map<String, Host> hosts = new HashMap<>();

    private record Host(List<Seat> inUse, List<Seat> held) {}

    private static String nameOf(Seat seat) {
        var url = seat.candidate().url();
        return url.host().text() + ":" + url.port();
    }

    /// Whether there is a place for it.
    boolean isFree(Seat seat) {
        var host = hosts.get(nameOf(seat));
        return host == null || seat.isBootstrap() || host.inUse().size() < URLS_MAX;
    }

    /// Whose place it should have, if that is lesser and not about to go.
    Optional<Seat> findLesser(Seat seat) {
        var others = of(seat).inUse();
        return others.stream().anyMatch(other -> other.stage() == Seat.Stage.LEAVING)
                ? Optional.empty()
                : others.stream().max(Seat.RANK).filter(last -> seat.candidate().outranks(last.candidate()));
    }

    /// It is connected, or about to be.
    void take(Seat seat) {
        of(seat).inUse().add(seat);
    }

    /// It is connected no more.
    ///
    /// @return who waited for that
    List<Seat> free(Seat seat) {
        var host = of(seat);
        host.inUse().remove(seat);
        var waited = List.copyOf(host.held());
        host.held().clear();
        forget(seat);
        return waited;
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
