package dev.grapnel.server.git;

import dev.grapnel.git.push.PushLimits;
import java.time.Duration;

/// How much strangers may ask of the git host (service 9).
///
/// @param atWork packs made or checked at the same time
/// @param begun requests that have begun and work or wait for their client
/// @param begunPerAddress of these, for one address
/// @param heapBytes of this process, for which all of this is reckoned
/// @param patience how long a request waits for its turn
/// @param requestBytes of a request to fetch, unpacked
/// @param push what one push may take
/// @param time that one request may take
/// @param drain how much of a refused push is read so that its sender reads the answer
/// @param drainTime how long that may take
public record GitConfig(
        int atWork,
        int begun,
        int begunPerAddress,
        long heapBytes,
        Duration patience,
        long requestBytes,
        PushLimits push,
        Duration time,
        long drain,
        Duration drainTime) {
    private static final int BEGUN_MAX = 256;
    /// What every request may need.
    static final long MEMORY_OF_ONE = 4L << 20;
    private static final long COMMAND_BYTES = 1024;

    public GitConfig {
        if (atWork < 1 || begun < atWork || begunPerAddress < 1) {
            throw new IllegalArgumentException("there must be a place, and at least as many requests as places");
        }
    }

    /// Those of the specification, for this machine.
    public static GitConfig of(int processors, long heapBytes, PushLimits push) {
        return of(2 * processors, push, heapBytes);
    }

    private static GitConfig of(int atWork, PushLimits push, long heapBytes) {
        int begun = Math.clamp(heapBytes / MEMORY_OF_ONE, atWork, Math.max(atWork, BEGUN_MAX));
        return new GitConfig(
                atWork,
                begun,
                Math.max(1, begun / 2),
                heapBytes,
                Duration.ofSeconds(30),
                16L << 20,
                push,
                Duration.ofHours(1),
                64L << 20,
                Duration.ofSeconds(30));
    }

    /// For lists of what packs in the making consist of, all together.
    long packMemory() {
        return heapBytes / 4;
    }

    /// For the list of one.
    long packMemoryMax() {
        return heapBytes / 2;
    }

    /// Of a whole push: commands and pack.
    long pushBodyBytes() {
        long commands = (push.commands() + 1L) * COMMAND_BYTES;
        return push.pack().packBytes() > Long.MAX_VALUE - commands
                ? Long.MAX_VALUE
                : push.pack().packBytes() + commands;
    }

    /// The same with so many places.
    ///
    /// @param atWork 0 for as many as wanted
    public GitConfig withPlaces(int atWork, long heapBytes) {
        return of(atWork == 0 ? BEGUN_MAX : atWork, push, heapBytes);
    }
}
