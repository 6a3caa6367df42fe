package dev.grapnel.sync.sim;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.world.RelayInformation;
import java.time.Duration;
import java.util.Optional;

/// Somebody who can be dialled.
public interface Endpoint {
    /// What a handshake comes to.
    Welcome welcome(String client);

    /// A handshake has succeeded.
    Session accept(Peer peer);

    /// What it says of itself (NIP-11).
    Optional<RelayInformation> information();

    /// What a handshake comes to.
    sealed interface Welcome {
        Welcome GRANTED = new Granted();

        /// Status 101.
        record Granted() implements Welcome {}

        /// Another status.
        record Refused(int status, Optional<Duration> retryAfter) implements Welcome {}

        /// No answer at all, at once.
        record Failed(Failure failure) implements Welcome {}

        /// No answer at all, never.
        record Silent() implements Welcome {}
    }

    /// The side of a connection that was dialled.
    interface Session {
        /// A text message has come.
        void received(Bytes text);

        /// It is over, whoever ended it.
        void ended();
    }

    /// Whom a session talks to.
    interface Peer {
        /// Who dialled.
        String client();

        /// Counts the connections of a network.
        long number();

        /// Sends a message.
        void send(RelayMessage message);

        /// Sends whatever it is.
        void sendRaw(Bytes text);

        /// How many messages are on their way or wait to be read.
        int pending();

        /// Ends the connection after what was sent.
        void closeByRelay();
    }
}
