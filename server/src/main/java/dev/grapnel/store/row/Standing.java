package dev.grapnel.store.row;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Version;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.store.table.Table;
import java.time.Instant;
import java.util.Optional;

/// What a repository is to this server, apart from those that only wait in purgatory (service 4.4.5, 4.9).
/// Each has one standing at a time; a reference announcement has none.
///
/// @param since when it came to this; withdrawing again does not count anew
/// @param cause why it went offline
/// @param left the version of the announcement that left when it went offline: an older one brings nothing
///     back
/// @param announcement what was served of it when the operator's lists took it offline: it comes back if
///     they let it
public record Standing(
        RepositoryAddress repository,
        Phase phase,
        Instant since,
        Cause cause,
        Optional<Version> left,
        Optional<Event> announcement)
        implements Row {
    /// What there is.
    public enum Phase implements Coded {
        /// Its announcement is served, and it can be pushed to.
        HOSTED(1),
        /// Its announcement is served and does not name this service any more: it can be read for a while.
        WITHDRAWN(2),
        /// Offline, and can come back.
        TRASHED(3),
        /// Offline, and its data is to be deleted.
        DOOMED(4);

        private final int code;

        Phase(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }

        /// Whether it can be read.
        public boolean isOnline() {
            return this == HOSTED || this == WITHDRAWN;
        }
    }

    /// Why a repository went offline.
    public enum Cause implements Coded {
        /// It did not.
        NONE(1),
        /// Its owner deleted the announcement.
        DELETED(2),
        /// The announcement's own time was over (NIP-40).
        EXPIRED(3),
        /// The operator banned the announcement or its author.
        BANNED(4),
        /// A blacklist names it.
        BLACKLISTED(5),
        /// The whitelist does not name it any more.
        NOT_WHITELISTED(6),
        /// Its owner withdrew it long ago.
        WITHDRAWAL_ENDED(7),
        /// Its owner asked to vanish.
        VANISHED(8);

        private final int code;

        Cause(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    public Standing {
        since = Millis.of(since);
    }

    /// Hosted from now on.
    public static Standing hosted(RepositoryAddress repository, Instant now) {
        return new Standing(repository, Phase.HOSTED, now, Cause.NONE, Optional.empty(), Optional.empty());
    }

    /// Withdrawn from now on.
    public static Standing withdrawn(RepositoryAddress repository, Instant now) {
        return new Standing(repository, Phase.WITHDRAWN, now, Cause.NONE, Optional.empty(), Optional.empty());
    }

    /// Offline from now on. After some causes nothing can come back.
    public static Standing offline(
            RepositoryAddress repository, Cause cause, Instant now, Optional<Event> announcement) {
        var phase = switch (cause) {
            case VANISHED, WITHDRAWAL_ENDED -> Phase.DOOMED;
            case NONE, DELETED, EXPIRED, BANNED, BLACKLISTED, NOT_WHITELISTED -> Phase.TRASHED;
        };
        return new Standing(repository, phase, now, cause, announcement.map(Event::version), announcement);
    }

    /// The same for an announcement of which only the version is known.
    public static Standing offline(RepositoryAddress repository, Cause cause, Instant now, Version left) {
        var standing = offline(repository, cause, now, Optional.empty());
        return new Standing(repository, standing.phase, now, cause, Optional.of(left), Optional.empty());
    }

    /// Whether an announcement is older than the one with which the repository left. Rows that do not tell
    /// were written before this was asked: then what was there was made before it left.
    public boolean isAfter(Version version) {
        return left.map(found -> found.isNewerThan(version)).orElse(version.createdAt() < since.getEpochSecond());
    }

    @Override
    public Table table() {
        return Table.REPOSITORIES;
    }

    @Override
    public Bytes key() {
        return RowKeys.repository(repository);
    }
}
