package dev.grapnel.sync.link;

/// How many ids one relay has named in comparisons that were not answered for yet (8.2). A relay may name what it does
/// not have, or will not give, and each of them is kept until then.
final class NamedIds {
    /// From then on no other comparison begins, or what is compared is read by pages.
    private static final int MANY = 10_000;

    private final Room room;
    private int waiting;
    private int aside;

    /// @param room what all links share
    NamedIds(Room room) {
        this.room = room;
    }

    /// Those of one request, until it is over.
    final class Part {
        private final int count;
        private boolean isAside;
        private boolean isOver;

        private Part(int count) {
            this.count = count;
        }

        /// They failed and wait for their time, or that has come.
        void setAside(boolean now) {
            if (!isOver && now != isAside) {
                isAside = now;
                aside += now ? count : -count;
                waiting -= now ? count : -count;
            }
        }

        void end() {
            if (!isOver) {
                setAside(false);
                isOver = true;
                waiting -= count;
                room.giveBack(count);
            }
        }
    }

    /// A request for some.
    Part add(int count) {
        room.take(count);
        waiting += count;
        return new Part(count);
    }

    /// Whether all links together may have more of them.
    boolean hasRoom() {
        return room.isLeft();
    }

    /// Whether so many wait for their turn that others need not be named before they had it.
    boolean areManyWaiting() {
        return waiting > MANY;
    }

    /// Whether so many were asked for and refused that others need not be named at all.
    boolean areManyAside() {
        return aside > MANY;
    }
}
