package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.filter.Filter;
import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.nostr.message.SubscriptionId;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.world.Heard;
import dev.grapnel.sync.world.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A client without a plan: sends what it is told and writes down what it hears.
final class Asker implements Transport.Listener {
    final List<Heard> heard = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    final List<Runnable> undecided = new ArrayList<>();
    private final boolean decides;
    private Transport.@Nullable Line line;

    /// @param decides whether every event is decided about at once
    Asker(boolean decides) {
        this.decides = decides;
    }

    static Asker dial(NodePort port, RemoteUrl relay) {
        var asker = new Asker(true);
        port.dial(relay, false, Duration.ofSeconds(10), asker);
        return asker;
    }

    boolean isOpen() {
        return line != null;
    }

    Transport.Line line() {
        return Objects.requireNonNull(line);
    }

    void send(ClientMessage message) {
        line().send(message.json(), () -> {});
    }

    void request(String id, Filter... filters) {
        send(new ClientMessage.Subscribe(new SubscriptionId(id), List.of(filters)));
    }

    void close(String id) {
        send(new ClientMessage.Unsubscribe(new SubscriptionId(id)));
    }

    void open(String id, Filter filter, Bytes message) {
        send(new ClientMessage.NegOpen(new SubscriptionId(id), filter, message));
    }

    @Override
    public void opened(Transport.Line opened) {
        line = opened;
    }

    @Override
    public void refused(int status, Optional<Duration> retryAfter) {
        ends.add("status " + status);
    }

    @Override
    public void failed(Failure failure) {
        ends.add(failure.getClass().getSimpleName());
    }

    @Override
    public void heard(Heard something) {
        heard.add(something);
        if (something instanceof Heard.Delivered delivered) {
            if (decides) {
                delivered.decided().run();
            } else {
                undecided.add(delivered.decided());
            }
        }
    }

    @Override
    public void lost(Failure failure) {
        line = null;
        ends.add("lost " + failure.getClass().getSimpleName());
    }

    /// The events that came for a subscription.
    List<Event> events(String id) {
        return heard.stream()
                .flatMap(something -> something instanceof Heard.Delivered(var to, var event, var _, var _)
                                && to.text().equals(id)
                        ? List.of(event).stream()
                        : List.<Event>of().stream())
                .toList();
    }

    /// For which subscriptions events came, in order.
    List<String> heardIds() {
        return heard.stream()
                .flatMap(something -> something instanceof Heard.Delivered delivered
                        ? List.of(delivered.id().text()).stream()
                        : List.<String>of().stream())
                .toList();
    }

    /// Everything but events, as text.
    List<String> said() {
        return heard.stream()
                .flatMap(something -> something instanceof Heard.Said(var message, var _)
                        ? List.of(shown(message)).stream()
                        : List.<String>of().stream())
                .toList();
    }

    private static String shown(RelayMessage message) {
        return new String(message.json().toArray(), StandardCharsets.UTF_8);
    }

    /// Why messages were junk.
    List<String> junk() {
        return heard.stream()
                .flatMap(something -> something instanceof Heard.Junk(var reason, var _)
                        ? List.of(reason).stream()
                        : List.<String>of().stream())
                .toList();
    }
}
