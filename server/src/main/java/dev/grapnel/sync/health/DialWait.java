package dev.grapnel.sync.health;

import java.time.Duration;

/// Why a relay without a link is not being dialled just now, and for how long that lasts at least.
///
/// @param left zero where no clock decides
/// @param detail what exactly it is, for people; may be empty
public record DialWait(Cause cause, Duration left, String detail) {
    /// Where the cause says all.
    public DialWait(Cause cause, Duration left) {
        this(cause, left, "");
    }

    static DialWait of(Cause cause, long nanos) {
        return new DialWait(cause, Duration.ofNanos(nanos));
    }

    /// Whether the operator can have the relay dialled all the same: not if it wished to be left alone, nor where there
    /// is no place.
    public boolean isOverAtWill() {
        return switch (cause) {
            case FAILED, PARKED, NAUGHTY -> true;
            case OURS, COOLING, AWAY, QUEUED, HOST, FULL, CUT_OFF -> false;
        };
    }

    /// The reason that lasts longest.
    public enum Cause {
        /// It failed, and more often makes the wait longer (R6.1).
        FAILED("after failing"),
        /// It wants us to slow down (R4.29).
        COOLING("because it asked us to slow down"),
        /// It does not let us in, or nothing of what is asked (6.1).
        PARKED("because it does not let us in, or is not for us"),
        /// Another name of ours (R1.15).
        OURS("because it leads to this server itself"),
        /// Its set-up is broken (6.3).
        NAUGHTY("because its set-up is broken"),
        /// There are more relays than links, and it has just had its turn (R8.9).
        AWAY("because other relays have their turn"),
        /// It is dialled as soon as others have been.
        QUEUED("in the queue"),
        /// As many URLs of its host, or links to its machine, are connected as may be (R1.16).
        HOST("because as many relays of its host or address are connected as may be: they take turns"),
        /// As many relays are followed as may be (R1.16).
        FULL("because as many relays are followed as may be"),
        /// This server seems to be without a network (R6.6).
        CUT_OFF("because this server seems to be without a network");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /// As people read it.
        public String words() {
            return words;
        }
    }
}
