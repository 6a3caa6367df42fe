package dev.grapnel.sync.link;

import java.util.Arrays;

/// Two numbers for a number, in arrays (8.2): how far the thread of a root was asked for and confirmed.
final class IntPairMap {
    private static final int EMPTY = -1;

    private int[] keys = new int[0];
    private int[] firsts = new int[0];
    private int[] seconds = new int[0];
    private int size;

    int first(int key) {
        int slot = find(key);
        return slot < 0 ? 0 : firsts[slot];
    }

    int second(int key) {
        int slot = find(key);
        return slot < 0 ? 0 : seconds[slot];
    }

    void setFirst(int key, int value) {
        int slot = make(key); // first: it may make other arrays
        firsts[slot] = value;
    }

    void setSecond(int key, int value) {
        int slot = make(key);
        seconds[slot] = value;
    }

    int size() {
        return size;
    }

    void clear() {
        keys = new int[0];
        firsts = new int[0];
        seconds = new int[0];
        size = 0;
    }

    /// Gives every first number the value of its second.
    void resetFirsts() {
        System.arraycopy(seconds, 0, firsts, 0, seconds.length);
    }

    private int find(int key) {
        if (keys.length == 0) {
            return -1;
        }
        int slot = slot(key);
        while (keys[slot] != EMPTY) {
            if (keys[slot] == key) {
                return slot;
            }
            slot = (slot + 1) & (keys.length - 1);
        }
        return -1;
    }

    private int make(int key) {
        int found = find(key);
        if (found >= 0) {
            return found;
        }
        if (size * 4 >= keys.length * 3) {
            grow();
        }
        int slot = slot(key);
        while (keys[slot] != EMPTY) {
            slot = (slot + 1) & (keys.length - 1);
        }
        keys[slot] = key;
        firsts[slot] = 0;
        seconds[slot] = 0;
        size++;
        return slot;
    }

    private void grow() {
        var oldKeys = keys;
        var oldFirsts = firsts;
        var oldSeconds = seconds;
        int length = Math.max(16, oldKeys.length * 2);
        keys = new int[length];
        Arrays.fill(keys, EMPTY);
        firsts = new int[length];
        seconds = new int[length];
        size = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != EMPTY) {
                int slot = make(oldKeys[i]);
                firsts[slot] = oldFirsts[i];
                seconds[slot] = oldSeconds[i];
            }
        }
    }

    private int slot(int key) {
        return ((key * 0x9E3779B9) >>> 7) & (keys.length - 1);
    }
}
