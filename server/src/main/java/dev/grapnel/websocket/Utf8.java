package dev.grapnel.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Tells UTF-8 from other bytes without decoding it.
public final class Utf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /// Whether `bytes[from, to)` is text.
    public static boolean isValid(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            if (to - i >= Long.BYTES && ((long) LONGS.get(bytes, i) & NOT_ASCII) == 0) {
                i += Long.BYTES;
            } else if (bytes[i] >= 0) {
                i++;
            } else {
                int length = sequence(bytes, i, to);
                if (length == 0) {
                    return false;
                }
                i += length;
            }
        }
        return true;
    }

    /// Length of the well-formed sequence of several bytes that begins here, or 0. Neither overlong forms nor
    /// surrogates nor anything behind U+10FFFF is well-formed (RFC 3629).
    private static int sequence(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return 0;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (at + length > to) {
            return 0;
        }
        int second = bytes[at + 1] & 0xff;
        int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
