package dev.grapnel.server.ops;

import dev.grapnel.nostr.json.JsonWriter;
import dev.grapnel.sync.SyncPicture;
import dev.grapnel.sync.SyncPicture.Relay;
import dev.grapnel.sync.Trouble;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/// A picture of sync for programs: as the page tells it, and as commands ask for it.
///
/// @param picture what it is about
public record SyncJson(SyncPicture picture) {
    /// All of it but the relays.
    ///
    /// @param out in the middle of an object
    public void writeWhole(JsonWriter out) {
        out.raw("\"takenAt\":").string(picture.takenAt().toString());
        bool(out, "ready", picture.isReady());
        bool(out, "cutOff", picture.isCutOff());
        var order = picture.order();
        number(out, "followed", order.followed());
        number(out, "connected", order.connected());
        number(out, "dialling", order.dialling());
        number(out, "queued", order.queued());
        number(out, "dead", order.dead());
        number(out, "waitingForPlace", order.waiting());
        var index = picture.index();
        out.raw(",\"index\":{\"repositories\":").number(index.fullRepos());
        number(out, "waitingAnnouncements", index.stateOnlyRepos());
        number(out, "roots", index.roots());
        number(out, "threadMembers", index.members());
        number(out, "pairs", index.pairs());
        number(out, "relays", index.relays());
        number(out, "bytes", index.bytes());
        out.raw("},\"refused\":{\"all\":").number(picture.intake().refused());
        picture.intake()
                .reasons()
                .forEach((reason, count) -> number(out, reason.name().toLowerCase(Locale.ROOT), count));
        out.raw("}");
        number(out, "undecided", picture.intake().underWay());
        number(out, "comparisonBytes", picture.vectorBytes());
    }

    /// One relay.
    public JsonWriter write(Relay relay, JsonWriter out) {
        var link = relay.link();
        out.raw("{\"relay\":").string(relay.name());
        text(out, "state", link.state().text());
        text(out, "status", relay.status().text());
        bool(out, "well", RelayWords.isWell(relay));
        bool(out, "bootstrap", relay.isBootstrap());
        bool(out, "configured", relay.isConfigured());
        number(out, "repositories", relay.repositories());
        number(out, "full", relay.full());
        number(out, "lagSeconds", picture.lagSeconds(relay));
        number(out, "batches", link.batches());
        number(out, "parked", link.parked());
        number(out, "oldestBatchSeconds", link.oldestBatch());
        number(out, "undecided", link.undecided());
        number(out, "liveFilters", link.liveFilters());
        number(out, "filterWidth", link.width());
        number(out, "sweptItems", link.sweptItems());
        number(out, "oldestPassSeconds", link.oldestPass());
        number(out, "givenUp", link.givenUp());
        text(out, "givenUpWords", RelayWords.givenUp(link.givenUp()));
        out.raw(",\"slots\":{\"limit\":").number(link.slots());
        number(out, "live", link.slotsLive());
        number(out, "historic", link.slotsHistoric());
        number(out, "negentropy", link.slotsNegentropy());
        out.raw("},\"requestsPerSecond\":").raw(RelayWords.perSecond(relay.rate()));
        number(out, "failures", relay.failures());
        number(out, "connections", link.generation());
        number(out, "coolingSeconds", relay.coolingFor().toSeconds());
        if (!relay.reason().isEmpty()) {
            text(out, "reason", relay.reason());
        }
        relay.waiting().ifPresent(wait -> {
            number(out, "nextTrySeconds", wait.left().toSeconds());
            text(out, "nextTry", RelayWords.words(wait));
        });
        out.raw(",\"limits\":");
        list(out, List.copyOf(relay.learned().entrySet()), (to, limit) -> {
            to.raw("{\"name\":").string(limit.getKey().name().toLowerCase(Locale.ROOT));
            number(to, "value", limit.getValue().value());
            text(to, "words", RelayWords.words(limit.getKey(), limit.getValue().value()));
            text(to, "until", limit.getValue().until().toString());
            to.raw("}");
        });
        out.raw(",\"troubles\":");
        list(out, relay.troubles(), this::write);
        RelayWords.earlier(relay).ifPresent(words -> text(out, "earlier", words));
        return out.raw("}");
    }

    private void write(JsonWriter out, Trouble trouble) {
        out.raw("{\"words\":").string(RelayWords.words(trouble, picture.takenAt()));
        number(out, "count", trouble.count());
        text(out, "firstAt", trouble.firstAt().toString());
        text(out, "lastAt", trouble.lastAt().toString());
        out.raw("}");
    }

    private static void number(JsonWriter out, String name, long value) {
        out.raw(",").string(name).raw(":").number(value);
    }

    private static void number(JsonWriter out, String name, OptionalLong value) {
        value.ifPresent(number -> number(out, name, number));
    }

    private static void text(JsonWriter out, String name, String value) {
        out.raw(",").string(name).raw(":").string(value);
    }

    private static void bool(JsonWriter out, String name, boolean value) {
        out.raw(",").string(name).raw(":").raw(Boolean.toString(value));
    }

    /// An array.
    public static <T> void list(JsonWriter out, List<T> values, BiConsumer<JsonWriter, T> write) {
        var before = "[";
        for (var value : values) {
            write.accept(out.raw(before), value);
            before = ",";
        }
        out.raw(values.isEmpty() ? "[]" : "]");
    }
}
