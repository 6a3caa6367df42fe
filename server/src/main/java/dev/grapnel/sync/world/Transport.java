package dev.grapnel.sync.world;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.outbound.Failure;
import dev.grapnel.outbound.RemoteUrl;
import java.time.Duration;
import java.util.Optional;

/// Connections to other relays.
public interface Transport {
    /// Begins to connect. The listener is told exactly one of `opened`, `refused` and `failed`, unless the attempt was
    /// cancelled before.
    ///
    /// @param isConfigured whether the operator named the relay, so that the rules for addresses do not count
    /// (R1.16)
    /// @param limit how long connecting may take in all
    Dial dial(RemoteUrl relay, boolean isConfigured, Duration limit, Listener listener);

    /// An attempt that goes on.
    interface Dial {
        /// Gives it up; the listener is told nothing more.
        void cancel();
    }

    /// Hears of one attempt and of the connection it led to, on the loop.
    interface Listener {
        /// The handshake is over; both sides may talk.
        void opened(Line line);

        /// The server answered with another status than 101 (R4.27).
        ///
        /// @param retryAfter when it wants to be asked again
        void refused(int status, Optional<Duration> retryAfter);

        /// There is no connection.
        void failed(Failure failure);

        /// Something came over the open connection.
        void heard(Heard heard);

        /// The connection is over, whoever ended it; everything that came before has been told. Once.
        ///
        /// @param failure why; [Failure.Cancelled] if we closed it ourselves
        void lost(Failure failure);
    }

    /// An open connection. Used on the loop.
    interface Line {
        /// Whom it leads to, however that is called elsewhere: links of one machine are limited (R1.16).
        String machine();

        /// Sends a text message.
        ///
        /// @param written run on the loop when it has been written; never if the connection ends before
        void send(Bytes text, Runnable written);

        /// Asks the peer whether it is there; [#heardAt] shows that it was.
        void ping();

        /// When the last bytes came, pongs included, by the clock of [Scheduler#nanos].
        long heardAt();

        /// Since when nothing came although we listened: what is not read for want of room (R4.26) is no silence of
        /// the peer's.
        default long silentSince() {
            return heardAt();
        }

        /// Ends the connection. What came before is still told, then `lost`.
        void close();
    }
}
