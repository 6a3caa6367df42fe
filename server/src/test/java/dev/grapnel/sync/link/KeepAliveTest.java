package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.sync.world.Scheduler;
import dev.grapnel.sync.world.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who is given up for being silent (R4.25), when this process itself stood still.
final class KeepAliveTest {
    private final StoppedLoop loop = new StoppedLoop();
    private final QuietLine line = new QuietLine();
    private final List<String> given = new ArrayList<>();
    private final KeepAlive keepAlive = new KeepAlive(loop, given::add);

    /// A loop that may stand still: then its one timer runs late.
    private static final class StoppedLoop implements Scheduler {
        private long now;
        private long due = Long.MAX_VALUE;
        private Runnable alarm = () -> {};

        void pass(long seconds) {
            long end = now + Duration.ofSeconds(seconds).toNanos();
            while (due <= end) {
                now = Math.max(now, due);
                ring();
            }
            now = end;
        }

        void standStill(long seconds) {
            now += Duration.ofSeconds(seconds).toNanos();
            if (due <= now) {
                ring();
            }
        }

        private void ring() {
            due = Long.MAX_VALUE;
            alarm.run();
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(now);
        }

        @Override
        public Runnable after(Duration wait, Runnable work) {
            due = now + wait.toNanos();
            alarm = work;
            return () -> due = Long.MAX_VALUE;
        }

        @Override
        public void post(Runnable work) {
            work.run();
        }
    }

    private static final class QuietLine implements Transport.Line {
        private long heardAt;
        private int pings;

        @Override
        public String machine() {
            return "10.0.0.1";
        }

        @Override
        public void send(Bytes text, Runnable written) {
            written.run();
        }

        @Override
        public void ping() {
            pings++;
        }

        @Override
        public long heardAt() {
            return heardAt;
        }

        @Override
        public void close() {}
    }

    @Test
    void whatComesLateItselfJudgesNobody() {
        keepAlive.start(line);
        loop.standStill(100);
        assertEquals(List.of(), given);
        assertEquals(1, line.pings, "it asks");
        line.heardAt = loop.nanos();
        loop.pass(80);
        assertEquals(List.of(), given);
    }

    @Test
    void whoDoesNotAnswerAfterwardsIsGivenUpInTheUsualTime() {
        keepAlive.start(line);
        loop.standStill(100);
        loop.pass(59);
        assertEquals(List.of(), given);
        loop.pass(1);
        assertEquals(List.of(Link.SILENT), given);
    }

    @Test
    void aLittleLateIsAsGoodAsInTime() {
        keepAlive.start(line);
        loop.pass(89);
        loop.standStill(5);
        assertEquals(List.of(Link.SILENT), given);
    }
}
