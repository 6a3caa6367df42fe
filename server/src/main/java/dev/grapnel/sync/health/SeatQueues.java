package dev.grapnel.sync.health;

import dev.grapnel.sync.health.Seat.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Seats by what they wait for, and how many there are. All of it follows from what the seats say of themselves.
final class SeatQueues {
    private final TreeSet<Seat> resting = new TreeSet<>(Seat.DUE);
    private final TreeSet<Seat> readyToStay = new TreeSet<>(Seat.PRIORITY);
    private final TreeSet<Seat> readyToVisit = new TreeSet<>(Seat.TURN);
    private final TreeSet<Seat> visitors = new TreeSet<>(Seat.STAY);
    private int dialling;
    private int up;
    private int inUse;
    private int visiting;
    private int leavingVisitors;
    private int held;

    /// Changes a seat, or takes it up for the first time.
    void change(Seat seat, Consumer<Seat> change) {
        remove(seat);
        change.accept(seat);
        add(seat);
    }

    void add(Seat seat) {
        switch (seat.stage()) {
            case RESTING -> resting.add(seat);
            case READY -> readyQueue(seat).add(seat);
            case UP -> {
                if (seat.isVisiting()) {
                    visitors.add(seat);
                }
            }
            case HELD, DIALLING, LEAVING -> {}
        }
        count(seat, 1);
    }

    void remove(Seat seat) {
        switch (seat.stage()) {
            case RESTING -> resting.remove(seat);
            case READY -> readyQueue(seat).remove(seat);
            case UP -> visitors.remove(seat);
            case HELD, DIALLING, LEAVING -> {}
        }
        count(seat, -1);
    }

    /// Visitors whose turn is over and whose place somebody waits for, and those for whom there is no place.
    List<Seat> findLeaving(int places, long now) {
        int waiting = readyToVisit.size();
        int coming = leavingVisitors + Math.max(0, places - visiting);
        int staying = visiting - leavingVisitors;
        var gone = new ArrayList<Seat>();
        for (var seat : visitors) {
            boolean isOver = seat.leaveAt() - now <= 0 && coming + gone.size() < waiting;
            if (!isOver && staying - gone.size() <= places) {
                break;
            }
            gone.add(seat);
        }
        return gone;
    }

    private NavigableSet<Seat> readyQueue(Seat seat) {
        return seat.isPermanent() ? readyToStay : readyToVisit;
    }

    private void count(Seat seat, int by) {
        dialling += seat.stage() == Stage.DIALLING ? by : 0;
        up += seat.stage() == Stage.UP ? by : 0;
        inUse += seat.isInUse() ? by : 0;
        visiting += seat.isVisiting() ? by : 0;
        leavingVisitors += seat.isVisiting() && seat.stage() == Stage.LEAVING ? by : 0;
        held += seat.stage() == Stage.HELD ? by : 0;
    }

    /// Who may not be dialled yet, who may first coming first.
    NavigableSet<Seat> resting() {
        return resting;
    }

    /// Who may be dialled and keeps its link.
    NavigableSet<Seat> readyToStay() {
        return readyToStay;
    }

    /// Who may be dialled and takes turns.
    NavigableSet<Seat> readyToVisit() {
        return readyToVisit;
    }

    /// Whose link is up and who takes turns, whose turn is over first coming first.
    NavigableSet<Seat> visitors() {
        return visitors;
    }

    /// Attempts that go on.
    int dialling() {
        return dialling;
    }

    /// Links that are up and shall stay so.
    int up() {
        return up;
    }

    /// Connections that there are or may soon be, those we are ending included.
    int inUse() {
        return inUse;
    }

    /// Those of them that take turns.
    int visiting() {
        return visiting;
    }

    /// Those of them that we are ending.
    int leavingVisitors() {
        return leavingVisitors;
    }

    /// Who waits for others of its host.
    int held() {
        return held;
    }
}
