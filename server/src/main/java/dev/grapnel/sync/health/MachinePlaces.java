package dev.grapnel.sync.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// At most eight links lead to one machine (R1.16), however many names it has. Where a name leads is known only once it
/// is dialled: whoever finds no place there waits until one is free.
///
/// Relays that the operator named have places of their own and are not counted.
public final class MachinePlaces {
    /// Links to one machine.
    public static final int LINKS_MAX = 8;

    /// Until who waits tries all the same: its name may lead elsewhere by then.
    static final Duration PATIENCE = Duration.ofMinutes(30);

    /// Of one relay that are remembered; more than these say nothing about one machine.
    private static final int MACHINES_MAX = 8;

    private final Map<String, Machine> machines = new HashMap<>();
    private final Map<Seat, String> places = new HashMap<>();
    private final Map<Seat, List<String>> waits = new HashMap<>();

    private record Machine(List<Seat> inUse, List<Seat> waiting) {
        boolean isFull() {
            return inUse.size() >= LINKS_MAX;
        }
    }

    /// Somebody goes so that another can come.
    record Change(Seat from, Seat to) {}

    MachinePlaces() {}

    private static boolean isCounted(Seat seat) {
        return !seat.isBootstrap() && !seat.candidate().standing().isConfigured();
    }

    /// It is connected there.
    void take(Seat seat, String machine) {
        if (isCounted(seat)) {
            places.put(seat, machine);
            of(machine).inUse().add(seat);
        }
    }

    /// It is connected no more.
    ///
    /// @return where it was, if it was counted
    Optional<String> free(Seat seat) {
        var machine = Optional.ofNullable(places.remove(seat));
        machine.ifPresent(name -> {
            of(name).inUse().remove(seat);
            forget(name);
        });
        return machine;
    }

    /// It found no place at any of these, or has left its own to others.
    ///
    /// @return whether it need not try soon: as far as is known here, all places are taken
    boolean await(Seat seat, List<String> crowded) {
        var counted = crowded.stream().distinct().limit(MACHINES_MAX).toList();
        if (!isCounted(seat) || counted.isEmpty()) {
            return false;
        }
        waits.put(seat, counted);
        counted.forEach(machine -> of(machine).waiting().add(seat));
        return counted.stream().map(this::of).allMatch(Machine::isFull);
    }

    /// Whether somebody waits for a place there.
    boolean isCrowded(String machine) {
        var there = machines.get(machine);
        return there != null && !there.waiting().isEmpty();
    }

    /// Whether it waits for a place.
    boolean isWaiting(Seat seat) {
        return waits.containsKey(seat);
    }

    /// It waits no more.
    void unwait(Seat seat) {
        var there = waits.remove(seat);
        if (there != null) {
            there.forEach(machine -> {
                of(machine).waiting().remove(seat);
                forget(machine);
            });
        }
    }

    /// Who may come, now that there is a place for it.
    List<Seat> findNext() {
        return crowded()
                .filter(machine -> !machine.isFull())
                .flatMap(machine -> Yielding.findNext(machine.inUse(), machine.waiting()).stream())
                .distinct()
                .toList();
    }

    /// Who is to go for whom by now.
    List<Change> findChanges(long now) {
        return crowded()
                .filter(Machine::isFull)
                .flatMap(machine -> findChange(machine, now).stream())
                .toList();
    }

    private static Optional<Change> findChange(Machine machine, long now) {
        return Stream.of(Seat.RANK, Seat.TURN)
                .flatMap(order -> machine.waiting().stream().min(order).stream())
                .flatMap(seat ->
                        Yielding.findYielding(machine.inUse(), seat, now).map(last -> new Change(last, seat)).stream())
                .findFirst();
    }

    private Stream<Machine> crowded() {
        return machines.values().stream().filter(machine -> !machine.waiting().isEmpty());
    }

    private Machine of(String machine) {
        return machines.computeIfAbsent(machine, _ -> new Machine(new ArrayList<>(), new ArrayList<>()));
    }

    private void forget(String machine) {
        var there = of(machine);
        if (there.inUse().isEmpty() && there.waiting().isEmpty()) {
            machines.remove(machine);
        }
    }
}
