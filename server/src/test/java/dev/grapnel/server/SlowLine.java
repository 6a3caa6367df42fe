package dev.grapnel.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Stands before a server and lets only so many bytes of an answer through at once, and from then on one now and then.
final class SlowLine implements AutoCloseable {
    private static final long DRIP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int PATIENCE_SECONDS = 60;

    private final int target;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slowed = new Semaphore(0);
    private volatile long most = Long.MAX_VALUE;

    /// @param target the port of the server
    SlowLine(int target) throws IOException {
        this.target = target;
        this.listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /// From now on so many bytes of each answer come as fast as they can.
    void slowAfter(long bytes) {
        most = bytes;
    }

    /// Everything comes as fast as it can, what is on its way included.
    void hurry() {
        most = Long.MAX_VALUE;
    }

    /// Waits until another answer has become slow.
    void awaitSlow() throws InterruptedException {
        if (!slowed.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("nobody asked for that much");
        }
    }

    private void accept() {
        try {
            while (true) {
                var client = listener.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException _) {
            // closed, which ends this
        }
    }

    private void serve(Socket client) {
        try (client;
                var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            threads.execute(() -> ask(client, server));
            drip(server.getInputStream(), client.getOutputStream());
        } catch (IOException _) {
            // one of them has gone
        }
    }

    private static void ask(Socket client, Socket server) {
        try {
            client.getInputStream().transferTo(server.getOutputStream());
            server.shutdownOutput();
        } catch (IOException _) {
            // one of them has gone
        }
    }

    private void drip(InputStream from, OutputStream to) throws IOException {
        long sent = 0;
        boolean isSlow = false;
        var buffer = new byte[512];
        while (true) {
            boolean isFree = sent + buffer.length <= most;
            int read = from.read(buffer, 0, isFree ? buffer.length : 1);
            if (read < 0) {
                return;
            }
            if (!isFree) {
                if (!isSlow) {
                    isSlow = true;
                    slowed.release();
                }
                LockSupport.parkNanos(DRIP_NANOS);
            }
            to.write(buffer, 0, read);
            sent += read;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
