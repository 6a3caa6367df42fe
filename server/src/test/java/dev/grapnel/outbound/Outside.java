package dev.grapnel.outbound;

import dev.grapnel.config.ProxyAddress;
import dev.grapnel.outbound.http.Client;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/// Everything between a test and the servers it started on `127.0.0.1`, which is the only address that is open.
public final class Outside implements AutoCloseable {
    public static final String HOST = "host.example";

    /// Long enough for a busy machine.
    public static final LineLimits LIMITS = new LineLimits(
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(20),
            0,
            Duration.ofSeconds(300),
            Duration.ofSeconds(60));

    public final ScriptedNames names = new ScriptedNames().answer(HOST, "127.0.0.1");
    public final AtomicInteger freed = new AtomicInteger();
    public final ConnectionSlots slots = new ConnectionSlots(() -> 2, freed::incrementAndGet);
    public final Dialer dialer;
    public final Client client;
    private final TimerAlarms timer = new TimerAlarms();

    public Outside() {
        this(Dialer.systemTls());
    }

    public Outside(SSLContext tls) {
        dialer = dialer(tls, timer, System::nanoTime);
        client = client(dialer);
    }

    /// In a time of its own.
    public Outside(ManualTime time) {
        dialer = dialer(Dialer.systemTls(), time, time);
        client = client(dialer);
    }

    private Dialer dialer(SSLContext tls, Alarms alarms, LongSupplier nanoTime) {
        var rules = AddressRules.allowing(Urls.ranges("127.0.0.1/32"));
        var proxy = ProxyAddress.parse("127.0.0.1:9").require();
        var gateway = new Gateway(rules, Urls.own("git.example.com"), names, Optional.of(proxy));
        return new Dialer(gateway, names, slots, tls, alarms, nanoTime);
    }

    private static Client client(Dialer dialer) {
        return new Client(dialer, Urls.GIT, Client.userAgent("1.2.3", "git.example.com"), 3);
    }

    /// A URL of a server, by name.
    public static RemoteUrl url(RawServer server) {
        return Urls.git("http://" + HOST + ":" + server.port() + "/a/b.git");
    }

    /// The same, encrypted.
    public static RemoteUrl secureUrl(RawServer server) {
        return Urls.git("https://" + HOST + ":" + server.port() + "/a/b.git");
    }

    @Override
    public void close() {
        timer.close();
    }
}
