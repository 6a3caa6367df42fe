package dev.grapnel.git.pack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers in bytes, greatest digit first, as git writes them.
final class Raw {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Raw() {}

    static long number(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static int integer(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static void setNumber(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    static void setInteger(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }
}
