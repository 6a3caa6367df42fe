package dev.grapnel.sync.index;

import java.util.Arrays;

/// How far each pair has come (R8.1): for three stages, what was wanted when it was last taken up. A row is blank when
/// its pair comes to be. Stages: [#LIVE] is in a live filter or swept, [#ASKED] has been asked for or is in flight,
/// [#CONFIRMED] was completely delivered.
public final class PairMarks {
    public static final int LIVE = 0;
    public static final int ASKED = 1;
    public static final int CONFIRMED = 2;
    private static final int STAGES = 3;

    private byte[] levels = new byte[0];
    private int[] roots = new int[0];
    private int[] addresses = new int[0];

    /// Makes a row blank, and room for it.
    void clear(int pair) {
        int end = (pair + 1) * STAGES;
        if (end > levels.length) {
            int length = Math.max(end, levels.length + (levels.length >> 1));
            levels = Arrays.copyOf(levels, length);
            roots = Arrays.copyOf(roots, length);
            addresses = Arrays.copyOf(addresses, length);
        }
        for (int stage = 0; stage < STAGES; stage++) {
            set(pair, stage, Level.NONE, 0, 0);
        }
    }

    /// The level a stage has reached.
    public Level level(int pair, int stage) {
        return Level.of(levels[pair * STAGES + stage]);
    }

    /// So many entries of the list of roots.
    public int roots(int pair, int stage) {
        return roots[pair * STAGES + stage];
    }

    /// So many entries of the list of state addresses.
    public int addresses(int pair, int stage) {
        return addresses[pair * STAGES + stage];
    }

    public void setLevel(int pair, int stage, Level level) {
        levels[pair * STAGES + stage] = level.code();
    }

    public void setRoots(int pair, int stage, int count) {
        roots[pair * STAGES + stage] = count;
    }

    public void setAddresses(int pair, int stage, int count) {
        addresses[pair * STAGES + stage] = count;
    }

    /// Sets all of a stage.
    public void set(int pair, int stage, Level level, int rootCount, int addressCount) {
        setLevel(pair, stage, level);
        setRoots(pair, stage, rootCount);
        setAddresses(pair, stage, addressCount);
    }

    /// Gives one stage the marks of another.
    public void copy(int pair, int from, int to) {
        set(pair, to, level(pair, from), roots(pair, from), addresses(pair, from));
    }
}
