package dev.grapnel.purgatory;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.row.Held;
import dev.grapnel.store.row.HeldProposal;
import dev.grapnel.store.row.Source;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Writes down what happens in purgatory (purgatory 10.2).
public final class PurgatoryLog implements Consumer<Happening> {
    private static final Logger LOG = LoggerFactory.getLogger(PurgatoryLog.class);
    private static final int ID_DIGITS = 12;

    @Override
    public void accept(Happening happening) {
        switch (happening) {
            case Happening.NowHeld(var row) ->
                LOG.info(
                        "purgatory.held kind={} event={} identifier={} author={} source={} deadline={}",
                        row.event().kind(),
                        row.event().id(),
                        row.identifiers(),
                        row.event().author(),
                        word(row.source()),
                        row.expiresAt());
            case Happening.Released(var row) ->
                LOG.info(
                        "purgatory.released kind={} event={} identifier={}",
                        row.event().kind(),
                        row.event().id(),
                        row.identifiers());
            case Happening.Dropped(var row, var reason) -> dropped(row, reason);
            case Happening.SoftExpired(var repository) ->
                LOG.info("purgatory.soft_expired identifier={} owner={}", repository.identifier(), repository.owner());
            case Happening.Revived(var repository, var cause) ->
                LOG.info(
                        "purgatory.revived identifier={} owner={} cause={}",
                        repository.identifier(),
                        repository.owner(),
                        cause);
            case Happening.Offline(var standing) ->
                LOG.info(
                        "repository.offline identifier={} owner={} cause={}",
                        standing.repository().identifier(),
                        standing.repository().owner(),
                        standing.cause().name().toLowerCase(Locale.ROOT));
            case Happening.Restored(var repository) ->
                LOG.info("repository.restored identifier={} owner={}", repository.identifier(), repository.owner());
        }
    }

    private static void dropped(Held row, DropReason reason) {
        if (reason != DropReason.EXPIRED) {
            LOG.info(
                    "purgatory.dropped kind={} event={} identifier={} reason={}",
                    row.event().kind(),
                    row.event().id(),
                    row.identifiers(),
                    reason.word());
            return;
        }
        var level = row.source() == Source.DIRECT ? Level.WARN : Level.DEBUG;
        var commit = row instanceof HeldProposal proposal ? proposal.proposal().commit() : "";
        for (var identifier : row.identifiers()) {
            LOG.atLevel(level)
                    .log(
                            "purgatory.expired kind={} event={} identifier={} npub={} commit={} source={}",
                            row.event().kind(),
                            row.event().id().toHex().substring(0, ID_DIGITS),
                            identifier,
                            new Npub(row.event().author()),
                            commit,
                            word(row.source()));
        }
    }

    private static String word(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }
}
