package dev.grapnel.server;

import dev.grapnel.git.repository.Repositories;
import dev.grapnel.purgatory.AuthorityFailures;
import dev.grapnel.purgatory.Custody;
import dev.grapnel.purgatory.Purgatory;
import dev.grapnel.purgatory.hunt.NaughtyCause;
import dev.grapnel.purgatory.intake.Uploads;
import dev.grapnel.purgatory.reconcile.Divergence;
import dev.grapnel.purgatory.reconcile.IntegrityFindings;
import dev.grapnel.server.ops.Metrics;
import dev.grapnel.store.EventStore;
import dev.grapnel.store.table.Table;
import java.util.Locale;
import java.util.function.DoubleSupplier;

/// How much waits, for those who watch (purgatory 10.1, service 11).
final class PurgatoryFigures {
    private PurgatoryFigures() {}

    static void add(Metrics metrics, Purgatory waiting, Custody custody, Uploads uploads, EventStore store) {
        metrics.gauge("purgatory_dormant_records", "Expired events whose data is looked for.", custody::dormantCount);
        addEntry(metrics, "announcement", () -> waiting.counts().active());
        addEntry(metrics, "announcement_soft", () -> waiting.counts().soft());
        addEntry(metrics, "reference", () -> waiting.counts().references());
        addEntry(metrics, "state", () -> waiting.counts().states());
        addEntry(metrics, "pr", waiting::proposalCount);
        addEntry(metrics, "placeholder", rows(store, Table.PLACEHOLDERS));
        metrics.gauge(
                "purgatory_expired_memory_size", "Events whose time was over.", rows(store, Table.EXPIRED_EVENTS));
        metrics.gauge("purgatory_gates", "Deletion requests by authors with nothing here.", rows(store, Table.GATES));
        metrics.gauge("purgatory_trash_records", "Refs that empty states removed.", rows(store, Table.TRASH));
        metrics.gauge("purgatory_repair_ledger_size", "Repositories to be aligned.", rows(store, Table.REPAIRS));
        metrics.gauge("purgatory_staging_areas", "Uploads that nobody has signed.", uploads::count);
        metrics.gauge("purgatory_staging_bytes", "What they take on disk.", uploads::bytes);
        addAuthority(metrics, new AuthorityFailures(custody.pools()));
    }

    static void add(Metrics metrics, Reconciliation parts, Repositories repositories) {
        addFindings(metrics, parts.findings());
        addHunt(metrics, parts.hunting(), repositories);
    }

    private static void addFindings(Metrics metrics, IntegrityFindings findings) {
        for (var kind : Divergence.Kind.values()) {
            metrics.gauge(
                    "purgatory_integrity_findings",
                    "Differences between repositories and their events at the last comparison.",
                    "kind",
                    kind.name().toLowerCase(Locale.ROOT),
                    () -> findings.count(kind));
        }
    }

    /// What hunting does now.
    private static void addHunt(Metrics metrics, Hunting hunting, Repositories repositories) {
        var hunt = hunting.hunt();
        metrics.gauge(
                "purgatory_sync_queue_size",
                "Identifiers that are hunted for.",
                () -> hunt.counts().queued());
        metrics.gauge(
                "purgatory_sync_in_progress",
                "Attempts that go on.",
                () -> hunt.counts().running());
        metrics.gauge(
                "purgatory_sync_oids_needed",
                "Objects that are missing.",
                () -> hunt.counts().missing());
        metrics.gauge(
                "grapnel_hunting_area_bytes",
                "What was fetched for events that wait.",
                () -> repositories.hunting().bytes());
        for (var cause : NaughtyCause.values()) {
            metrics.gauge(
                    "purgatory_naughty_domains",
                    "Servers that are left alone for hours.",
                    "cause",
                    cause.label(),
                    () -> hunt.counts().naughty().getOrDefault(cause, 0L));
        }
        metrics.domains(() -> hunt.counts().domains());
    }

    private static void addEntry(Metrics metrics, String name, DoubleSupplier value) {
        metrics.gauge("purgatory_entries", "What waits in purgatory.", "store", name, value);
    }

    private static DoubleSupplier rows(EventStore store, Table table) {
        return () -> store.read(view -> view.count(table));
    }

    private static void addAuthority(Metrics metrics, AuthorityFailures failures) {
        for (var reason : AuthorityFailures.Reason.values()) {
            metrics.gauge(
                    "grapnel_authority_failures",
                    "Repositories nobody may sign for.",
                    "reason",
                    reason.name().toLowerCase(Locale.ROOT),
                    () -> failures.count(reason));
        }
    }
}
