package dev.grapnel.sync.link;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.sim.Endpoint;
import java.util.OptionalLong;
import java.util.function.Predicate;

/// A relay that refuses some of what it is asked, so many times.
final class Grudge implements Ear.Script {
    private final Predicate<ClientMessage> which;
    private final How how;
    private int left;

    /// In which way something is refused.
    interface How {
        RelayMessage refuse(ClientMessage message);
    }

    private Grudge(int times, How how, Predicate<ClientMessage> which) {
        this.left = times;
        this.how = how;
        this.which = which;
    }

    /// By CLOSED or NEG-ERR.
    static Grudge closing(int times, String text, Predicate<ClientMessage> which) {
        return new Grudge(times, message -> refusal(message, text), which);
    }

    /// By NOTICE, which names no request.
    static Grudge noticing(int times, String text, Predicate<ClientMessage> which) {
        return new Grudge(times, _ -> new RelayMessage.Notice(text), which);
    }

    private static RelayMessage refusal(ClientMessage message, String text) {
        return switch (message) {
            case ClientMessage.Subscribe(var id, var _) -> new RelayMessage.Closed(id, text);
            case ClientMessage.NegOpen(var id, var _, var _) ->
                new RelayMessage.NegError(id, text, OptionalLong.empty());
            default -> throw new AssertionError("nobody refuses " + message);
        };
    }

    @Override
    public boolean hears(ClientMessage message, Endpoint.Peer client) {
        if (left == 0 || !which.test(message)) {
            return false;
        }
        left--;
        client.send(how.refuse(message));
        return true;
    }

    // ---- which

    /// A REQ whose id begins with this.
    static boolean hasRole(ClientMessage message, char role) {
        return message instanceof ClientMessage.Subscribe(var id, var _)
                && id.text().charAt(0) == role;
    }

    /// A page of stored events.
    static boolean isPage(ClientMessage message) {
        return hasRole(message, 'h');
    }

    static boolean isPageBy(ClientMessage message, char letter) {
        return isPage(message)
                && message instanceof ClientMessage.Subscribe(var _, var filters)
                && OneLink.asksBy(filters.getFirst(), letter);
    }

    static boolean isOpening(ClientMessage message) {
        return message instanceof ClientMessage.NegOpen;
    }

    static boolean isOpeningBy(ClientMessage message, char letter) {
        return message instanceof ClientMessage.NegOpen(var _, var filter, var _) && OneLink.asksBy(filter, letter);
    }
}
