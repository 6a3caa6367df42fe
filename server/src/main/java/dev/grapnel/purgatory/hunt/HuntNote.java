package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.event.EventId;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.url.Host;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Something that hunting did, for those who count and for the log (purgatory 10). Told without a lock, by the thread
/// that did it; whoever listens must not wait.
public sealed interface HuntNote {
    /// `hunt.queued`.
    record Queued(Identifier identifier, Duration delay, long generation) implements HuntNote {}

    /// `hunt.started`.
    record Started(Identifier identifier, long generation) implements HuntNote {}

    /// `hunt.finished`: nothing is pending any more; `purgatory_sync_attempts_total{result="finished"}`.
    record Finished(Identifier identifier, int oids, int urls, Duration duration) implements HuntNote {}

    /// `hunt.incomplete`, `purgatory_sync_backoff_seconds`.
    ///
    /// @param missing how many objects
    record Incomplete(Identifier identifier, AttemptResult result, int attempt, int missing, Duration nextDelay)
            implements HuntNote {}

    /// An attempt did not end in time and was given up (P-606): somebody must look.
    record Stuck(Identifier identifier, Duration after) implements HuntNote {}

    /// An attempt, a look or a listener failed by a fault of our own.
    record Broke(Identifier identifier, Throwable cause) implements HuntNote {}

    /// `hunt.url`, `purgatory_domain_requests_total{domain,result}`, `purgatory_fetch_bytes_total`,
    /// `purgatory_fetch_seconds`.
    ///
    /// @param result `ok` or the failure's label
    /// @param advertised needed ids the server advertised
    /// @param speculative ids asked for alone
    /// @param oids needed ids that came
    record Visited(
            Identifier identifier,
            HuntUrl url,
            String result,
            int advertised,
            int speculative,
            int oids,
            long bytes,
            Duration took)
            implements HuntNote {}

    /// One request of a visit begins; `ngit_purgatory_git_subprocess_active`.
    record Requesting(Operation operation, Role role) implements HuntNote {}

    /// It has ended: the names of the existing server.
    record Requested(Operation operation, Role role, Outcome outcome, Duration took, long bytes) implements HuntNote {}

    /// `ngit_purgatory_git_fetch_oids_total`.
    record Asked(OidKind kind, int count) implements HuntNote {}

    /// `ngit_purgatory_git_deferred_total`.
    record Deferred(Operation operation, DeferReason reason) implements HuntNote {}

    /// `hunt.fetch_failed`.
    record Failed(Host domain, Failure failure, String reason) implements HuntNote {}

    /// `hunt.refreshed`, `purgatory_sync_refreshes_total`.
    record Refreshed(Identifier identifier, boolean isMoved) implements HuntNote {}

    /// `hunt.hedged`.
    record Hedged(Identifier identifier, Host second) implements HuntNote {}

    /// `purgatory_sync_hedges_total`.
    record HedgeEnded(HedgeOutcome outcome) implements HuntNote {}

    /// `purgatory_domain_throttled_total`.
    record Throttled(Host domain, Obstacle obstacle) implements HuntNote {}

    /// `throttle.queued`.
    ///
    /// @param cause what it waits for; nothing if it may go on at once
    record Enqueued(Host domain, Identifier identifier, Optional<Obstacle> cause) implements HuntNote {}

    /// `throttle.woken`.
    record Woken(Host domain, Identifier identifier) implements HuntNote {}

    /// `domain.naughty`.
    record Naughty(Host domain, NaughtyCause cause, Instant until, boolean isFirst) implements HuntNote {}

    /// `url.refused`, `purgatory_url_refused_total`.
    record UrlRefused(Optional<Host> domain, String rule) implements HuntNote {}

    /// `purgatory_dormant_checks_total`.
    record DormantChecked(DormantResult result) implements HuntNote {}

    /// `dormant.revived`.
    record DormantRevived(EventId event, Identifier identifier, Host domain) implements HuntNote {}

    /// How an attempt ended; metrics use the lower-case names.
    enum AttemptResult {
        FINISHED,
        INCOMPLETE,
        NOTHING_TO_TRY,
        ERROR
    }

    /// What was asked; metrics use the lower-case names.
    enum Operation {
        LS_REMOTE,
        FETCH_BATCH,
        FETCH_RESIDUAL
    }

    /// For which lane; metrics use the lower-case names.
    enum Role {
        PRIMARY,
        HEDGE,
        /// Served data that was lost is fetched again.
        INTEGRITY
    }

    /// How a request ended; metrics use the lower-case names.
    enum Outcome {
        SUCCESS,
        FAILURE,
        CANCELLED
    }

    /// Which ids; metrics use the lower-case names.
    enum OidKind {
        ADVERTISED_TIP,
        RESIDUAL_ATTEMPTED,
        RESIDUAL_MISSING,
        RESIDUAL_SKIPPED,
        FETCHED
    }

    /// Why something was not asked for; metrics use the lower-case names.
    enum DeferReason {
        REMOTE_COOLDOWN,
        COMMAND_BUDGET,
        SPECULATIVE_BUDGET,
        PASS_BUDGET
    }

    /// How a second source ended; metrics use the lower-case names.
    enum HedgeOutcome {
        DELIVERED,
        CANCELLED,
        FAILED
    }

    /// What a look for a dormant record found; metrics use the lower-case names.
    enum DormantResult {
        UNCHANGED,
        REVIVED,
        EVENT_NOT_FOUND,
        NO_PERMIT,
        FAILED
    }
}
