package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Host;
import dev.grapnel.outbound.Pace.Phase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// Opens connections, to addresses that were checked and to no others (P-804).
///
/// Nothing of the machine's surroundings is used (P-806): no proxy that a property or variable names, no client
/// certificate.
public final class Dialer {
    /// A connection and the place it takes.
    private record Plain(Socket socket, String machine, Slots.Slot slot) {
        void abandon() {
            Line.abort(socket);
            slot.close();
        }
    }

    private final Gateway gateway;
    private final Names names;
    private final Slots slots;
    private final SSLContext tls;
    private final Alarms alarms;
    private final LongSupplier nanoTime;

    /// @param names for the name of the onion proxy, which the operator chose; all others are the gateway's
    /// @param tls whom to trust
    /// @param nanoTime a clock that only runs forward
    public Dialer(Gateway gateway, Names names, Slots slots, SSLContext tls, Alarms alarms, LongSupplier nanoTime) {
        this.gateway = gateway;
        this.names = names;
        this.slots = slots;
        this.tls = tls;
        this.alarms = alarms;
        this.nanoTime = nanoTime;
    }

    /// TLS that trusts whom this machine trusts and shows no certificate of ours.
    public static SSLContext systemTls() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot speak TLS: its trust store may be damaged", e);
        }
    }

    /// The clock by which limits are kept, in nanoseconds.
    public LongSupplier nanoTime() {
        return nanoTime;
    }

    /// Opens a connection to the server of a URL.
    ///
    /// @throws OutboundException if there is none
    public Line dial(RemoteUrl url, LineLimits limits, Cancellation cancellation) throws OutboundException {
        var watch = Watch.begin(limits, alarms, nanoTime, cancellation);
        Optional<Plain> open = Optional.empty();
        boolean done = false;
        try {
            watch.check();
            var plain = connect(route(url, watch), limits, watch);
            open = Optional.of(plain);
            var spoken = url.isSecure() ? secure(plain.socket(), url, watch) : plain.socket();
            var line = new Line(plain.socket(), spoken, plain.machine(), plain.slot(), watch);
            done = true;
            return line;
        } catch (IOException e) {
            throw watch.explain(e);
        } finally {
            if (!done) {
                watch.close();
                open.ifPresent(Plain::abandon);
            }
        }
    }

    private Route route(RemoteUrl url, Watch watch) throws OutboundException {
        return switch (wait(gateway.route(url), watch)) {
            case Gateway.Passage.Open(var route) -> route;
            case Gateway.Passage.Closed(var failure) -> throw new OutboundException(failure);
        };
    }

    private static <T> T wait(CompletableFuture<T> answer, Watch watch) throws OutboundException {
        watch.await(Phase.LOOKUP, () -> answer.cancel(true));
        try {
            return answer.get();
        } catch (CancellationException | ExecutionException e) {
            throw watch.explain(e, new Failure.LookupFailed());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw watch.explain(e, new Failure.Cancelled());
        }
    }

    private Plain connect(Route route, LineLimits limits, Watch watch) throws IOException {
        return switch (route) {
            case Route.Direct direct -> connect(direct.addresses(), direct.port(), Optional.empty(), limits, watch);
            case Route.Onion onion -> connectByProxy(onion, limits, watch);
        };
    }

    private Plain connectByProxy(Route.Onion onion, LineLimits limits, Watch watch) throws IOException {
        var proxy = onion.proxy();
        var addresses = addressesOfProxy(proxy.host(), watch);
        var plain = connect(addresses, proxy.port(), Optional.of(onion.host().text()), limits, watch);
        boolean done = false;
        try {
            Socks5.connect(plain.socket(), onion.host(), onion.port());
            done = true;
            return plain;
        } finally {
            if (!done) {
                plain.abandon();
            }
        }
    }

    private List<InetAddress> addressesOfProxy(Host proxy, Watch watch) throws OutboundException {
        var literal = Gateway.findAddress(proxy);
        if (literal.isPresent()) {
            return List.of(literal.get());
        }
        return switch (wait(names.lookUp(proxy), watch)) {
            case Names.Lookup.Found(var addresses) -> addresses;
            // The proxy is the operator's, so its name says nothing about the onion service.
            case Names.Lookup.NoSuchName _, Names.Lookup.Failed _ ->
                throw new OutboundException(new Failure.LookupFailed());
        };
    }

    /// Tries one address after the other, each for its share of the time that is left.
    ///
    /// @param machine by which places are counted, if not by address
    private Plain connect(
            List<InetAddress> addresses, int port, Optional<String> machine, LineLimits limits, Watch watch)
            throws IOException {
        long begun = nanoTime.getAsLong();
        watch.await(Phase.CONNECT, () -> {});
        var places = addresses.stream()
                .map(address -> machine.orElseGet(() -> ConnectionSlots.machine(address)))
                .toList();
        Failure failure = new Failure.Busy("as many connections as may be lead to this server already", places);
        for (int i = 0; i < addresses.size(); i++) {
            var address = addresses.get(i);
            var slot = machine.isPresent() ? slots.tryTake(machine.get()) : slots.tryTake(address);
            if (slot.isEmpty()) {
                continue;
            }
            long left = limits.connect().toNanos() - (nanoTime.getAsLong() - begun);
            var share = Duration.ofNanos(left / (addresses.size() - i));
            var plain = new Plain(new Socket(Proxy.NO_PROXY), places.get(i), slot.get());
            boolean done = false;
            try {
                watch.stopBy(() -> Line.abort(plain.socket()));
                connect(plain.socket(), new InetSocketAddress(address, port), share);
                done = true;
                return plain;
            } catch (SocketTimeoutException _) {
                watch.check();
                failure = new Failure.Timeout(Failure.Limit.CONNECT);
            } catch (IOException e) {
                failure = watch.explain(e, new Failure.ConnectFailed()).failure();
                watch.check();
            } finally {
                if (!done) {
                    plain.abandon();
                }
            }
        }
        throw new OutboundException(failure);
    }

    private static void connect(Socket socket, InetSocketAddress address, Duration limit) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(address, Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE));
    }

    /// Speaks TLS on a connection; the certificate must be for the host of the URL, whatever the address.
    private SSLSocket secure(Socket plain, RemoteUrl url, Watch watch) throws IOException {
        var host = url.host().text();
        var name = url.host().isIpv6() ? host.substring(1, host.length() - 1) : host;
        watch.await(Phase.TLS, () -> Line.abort(plain));
        var socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, name, url.port(), true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
