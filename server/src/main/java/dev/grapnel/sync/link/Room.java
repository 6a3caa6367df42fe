package dev.grapnel.sync.link;

/// How many entries several tables may have together.
final class Room {
    private final int max;
    private int taken;

    Room(int max) {
        this.max = max;
    }

    /// As much as anybody wants.
    static Room endless() {
        return new Room(Integer.MAX_VALUE);
    }

    boolean isLeft() {
        return taken < max;
    }

    int taken() {
        return taken;
    }

    void take() {
        taken++;
    }

    void take(int count) {
        taken += count;
    }

    void giveBack(int count) {
        taken -= count;
    }
}
