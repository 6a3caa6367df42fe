package dev.grapnel.sync.sim;

import static dev.grapnel.sync.sim.Stage.require;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.message.RelayMessage;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.link.LinkConfig;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Small stories about one thing each, for faults that a random world seldom shows. Each is true of the core as it is;
/// what is not so is thrown.
final class Scenes {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    /// Two values a filter and packing from eight filters on, so that a handful of issues is many.
    private static final LinkConfig NARROW = new LinkConfig(
            2, 8, 200, 500, true, false, true, Duration.ofSeconds(5), Duration.ofHours(23), Duration.ofHours(25));

    private Scenes() {}

    private static SyncConfig narrow(SyncConfig usual) {
        return new SyncConfig(
                usual.bootstrap(),
                usual.privatePeers(),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                NARROW);
    }

    // ---- links that end

    /// What reaches the relay while a link is dead without anybody knowing, fourteen and a half minutes after it was
    /// signed, is within the overlap of the last word that was heard.
    static void halfOpen() {
        try (var stage = new Stage(RelayModels.plain(500)).open()) {
            stage.run(HOUR);
            var issue = stage.people.issue(stage.repo);
            stage.run(Duration.ofSeconds(14 * 60 + 30));
            stage.world.network().connections(stage.node.name()).forEach(SimConnection::swallow);
            stage.run(SECOND);
            stage.publish(issue);
            stage.run(Duration.ofMinutes(5));
            stage.has(issue);
        }
    }

    /// A link that is lost again and again before the catch-up is answered: what was signed a while before the first
    /// loss, and reached the relay after it, is asked for after the last.
    static void interruptedCatchUp() {
        try (var stage = new Stage(RelayModels.plain(500).thinking(Duration.ofSeconds(10))).open()) {
            stage.run(HOUR);
            var issue = stage.people.issue(stage.repo);
            stage.run(Duration.ofMinutes(14));
            stage.cut();
            stage.publish(issue);
            for (int losses = 0; losses < 7; losses++) {
                stage.runUntil(stage::isLinked);
                stage.run(Duration.ofSeconds(8));
                stage.hasNot(issue);
                stage.cut();
            }
            stage.run(Duration.ofMinutes(14));
            stage.has(issue);
        }
    }

    /// After hours everything is compared, and so is what came late.
    static void longAbsence() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(HOUR);
            var issue = stage.people.issue(stage.repo);
            stage.run(HOUR);
            stage.stopRelay();
            stage.run(Duration.ofMinutes(30));
            stage.publish(issue);
            stage.run(Duration.ofMinutes(30));
            stage.startRelay();
            stage.run(HOUR);
            stage.has(issue);
        }
    }

    /// The clock of the node is set two hours ahead; what is dated rightly is found within an hour or so.
    static void clockSet() {
        try (var stage = new Stage(RelayModels.plain(500)).open()) {
            stage.run(HOUR);
            stage.node.jump(Duration.ofHours(2));
            stage.run(Duration.ofMinutes(3));
            stage.stopRelay();
            stage.run(Duration.ofSeconds(20));
            var issue = stage.publish(stage.people.issue(stage.repo));
            stage.startRelay();
            stage.run(Duration.ofMinutes(70));
            stage.has(issue);
        }
    }

    // ---- what is streamed

    /// Nothing is asked for before the stream that covers it is acknowledged, so that nothing falls between the two.
    static void liveFirst() {
        try (var stage = new Stage(RelayModels.plain(500).thinking(Duration.ofSeconds(1)))) {
            var way = Duration.ofSeconds(1);
            stage.world.network().weather(stage.node.name(), stage.relay.url()).latency(way);
            stage.open().run(MINUTE);
            for (int count = 0; count < 3; count++) {
                stage.publish(stage.people.issue(stage.repo));
                stage.run(MINUTE);
            }
            long least = way.multipliedBy(2).toNanos();
            for (var request : stage.asked(Purpose.HISTORIC)) {
                boolean isEarly = stage.asked(Purpose.LIVE).stream()
                        .anyMatch(live -> live.at() <= request.at() && request.at() - live.at() < least);
                require(!isEarly, "history is asked for after the stream is acknowledged");
            }
        }
    }

    /// Many filters become few: each value is streamed once, and everything arrives.
    static void packing() {
        try (var stage = new Stage(RelayModels.plain(500), JoinedCore.with(Scenes::narrow)).open()) {
            stage.run(MINUTE);
            var issues = new ArrayList<Event>();
            for (int count = 0; count < 24; count++) {
                issues.add(stage.publish(stage.people.issue(stage.repo)));
                stage.run(Duration.ofSeconds(7));
            }
            stage.run(Duration.ofMinutes(3));
            stage.hasAll(issues);
            var live = stage.relay.sessions().stream()
                    .flatMap(session -> session.live().stream())
                    .flatMap(filter -> filter.tags().stream())
                    .flatMap(tag -> tag.values().toList().stream().map(value -> tag.letter() + value))
                    .toList();
            for (var issue : issues) {
                for (char letter : new char[] {'e', 'E', 'q'}) {
                    long times = live.stream()
                            .filter(value -> value.equals(letter + issue.id().toHex()))
                            .count();
                    require(times == 1, "a value is in one live filter, not " + times);
                }
            }
        }
    }

    /// A relay with few subscriptions: groups are exchanged in place, and what that may have missed is asked for.
    static void exchangedInPlace() {
        var few = RelayModels.plain(500)
                .subscriptions(6, "error: too many subscriptions")
                .disclosing();
        try (var stage = new Stage(few, JoinedCore.with(Scenes::narrow)).open()) {
            stage.run(MINUTE);
            var all = new ArrayList<Event>();
            for (int count = 0; count < 30; count++) {
                all.add(stage.publish(stage.people.issue(stage.repo)));
                stage.run(Duration.ofSeconds(40));
            }
            stage.run(Duration.ofMinutes(10));
            stage.hasAll(all);
            require(!stage.asked(Purpose.CATCH_UP).isEmpty(), "what an exchange may have missed is asked for");
        }
    }

    /// What cannot be streamed is swept, again and again, with an overlap.
    static void swept() {
        var few = RelayModels.plain(500)
                .subscriptions(3, "error: max 3 subscriptions")
                .disclosing();
        try (var stage = new Stage(few).open()) {
            stage.run(MINUTE);
            for (int count = 0; count < 3; count++) {
                var issue = stage.people.issue(stage.repo);
                stage.run(Duration.ofMinutes(14));
                stage.publish(issue);
                stage.run(Duration.ofMinutes(7));
                stage.has(issue);
            }
        }
    }

    /// The relay closes what it streams, and opens it again: what it got meanwhile is asked for, with the overlap.
    static void closedGroup() {
        try (var stage = new Stage(RelayModels.existing()).open()) {
            stage.run(HOUR);
            var old = stage.people.issue(stage.repo);
            stage.run(Duration.ofMinutes(14));
            stage.relay.lag();
            stage.run(SECOND);
            stage.publish(old);
            var young = stage.publish(stage.people.issue(stage.repo));
            stage.run(Duration.ofMinutes(2));
            stage.has(young);
            stage.has(old);
        }
    }

    /// For a minute the relay does not stream what it is asked to, and the link is lost before what was missed came:
    /// it is asked for from the first closing on.
    static void closedAgain() {
        try (var stage = new Stage(RelayModels.existing()).open()) {
            stage.run(HOUR);
            var weather = stage.world.network().weather(stage.node.name(), stage.relay.url());
            weather.latency(Duration.ofSeconds(2));
            var issue = stage.people.issue(stage.repo);
            stage.run(Duration.ofSeconds(14 * 60 + 50));
            stage.relay.lie(new Lie() {
                @Override
                public void say(RelayMessage message, RelaySession session) {
                    boolean isLive = message instanceof RelayMessage.EndOfStored(var id, var _)
                            && id.text().startsWith("l");
                    session.send(
                            isLive
                                    ? new RelayMessage.Closed(((RelayMessage.EndOfStored) message).id(), "error: later")
                                    : message);
                }
            });
            stage.relay.lag();
            stage.publish(issue);
            stage.run(MINUTE);
            stage.relay.lie(Lie.NONE);
            stage.runUntil(() -> stage.asked(Purpose.CATCH_UP).stream()
                    .flatMap(request -> request.filters().stream())
                    .anyMatch(filter -> !filter.tags().isEmpty()));
            stage.cut();
            weather.latency(Duration.ofMillis(50));
            stage.hasNot(issue);
            stage.run(Duration.ofMinutes(2));
            stage.has(issue);
        }
    }

    // ---- what is read

    /// More comes in a short absence than a page holds.
    static void busyGap() {
        try (var stage = new Stage(RelayModels.plain(20)).open()) {
            stage.run(HOUR);
            stage.stopRelay();
            var all = new ArrayList<Event>();
            for (int count = 0; count < 60; count++) {
                all.add(stage.publish(stage.people.issue(stage.repo)));
                stage.run(SECOND);
            }
            stage.startRelay();
            stage.run(Duration.ofMinutes(10));
            stage.hasAll(all);
        }
    }

    /// A link that is lost while history is read: what was asked for and not answered is asked for again.
    static void cutInHistory() {
        try (var stage = new Stage(RelayModels.plain(500).thinking(Duration.ofSeconds(4)))) {
            stage.world.start();
            var all = stage.issues(5);
            all.forEach(stage::put);
            stage.run(HOUR);
            stage.serve(stage.repo);
            for (int losses = 0; losses < 3; losses++) {
                stage.runUntil(stage::isLinked);
                stage.run(Duration.ofSeconds(9));
                stage.cut();
            }
            stage.run(Duration.ofMinutes(10));
            stage.hasAll(all);
        }
    }

    /// While something is on its way it is not asked for again, whatever else comes.
    static void askedOnce() {
        try (var stage = new Stage(RelayModels.plain(500).thinking(Duration.ofSeconds(20))).open()) {
            stage.run(Duration.ofMinutes(5));
            var all = new ArrayList<Event>();
            for (int count = 0; count < 10; count++) {
                all.add(stage.publish(stage.people.issue(stage.repo)));
                stage.run(Duration.ofSeconds(8));
            }
            stage.run(Duration.ofMinutes(5));
            for (var issue : all) {
                long times = stage.asked(Purpose.HISTORIC).stream()
                        .flatMap(request -> request.filters().stream())
                        .filter(filter -> filter.until().isEmpty())
                        .flatMap(filter -> filter.tags().stream())
                        .filter(tag -> tag.letter() == 'E'
                                && tag.values().toList().contains(issue.id().toHex()))
                        .count();
                require(times == 1, "a root is asked for once, not " + times + " times");
            }
        }
    }

    /// However much happens, what is new is asked about within seconds.
    static void steadyStream() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            var issue = stage.people.issue(stage.repo);
            var comment = stage.put(stage.people.comment(stage.repo, issue, issue));
            stage.world.publish(issue, List.of(stage.node.url()));
            for (int count = 0; count < 15; count++) {
                stage.run(Duration.ofSeconds(2));
                stage.world.publish(stage.people.issue(stage.repo), List.of(stage.node.url()));
            }
            stage.has(comment);
        }
    }

    /// Small pages, and, where they hold twenty, more of one second than fits (R4.19a).
    static void pages(int page) {
        try (var stage = new Stage(RelayModels.plain(page))) {
            var politeness = new Politeness(stage.world);
            stage.world.start();
            var all = new ArrayList<Event>();
            for (int count = 0; count < 6; count++) {
                var repo = stage.people.repository(Stage.ANN, List.of(stage.node.name()), List.of(stage.relay.url()));
                for (int issue = 0; issue < 10; issue++) {
                    all.add(stage.put(stage.people.issue(repo)));
                    stage.run(page < 20 ? SECOND : Duration.ZERO);
                }
            }
            for (int count = 0; count < 45; count++) {
                stage.run(page < 10 ? SECOND : Duration.ofMillis(400));
                all.add(stage.put(stage.people.issue(stage.repo)));
            }
            stage.people.repos().forEach(stage::serve);
            stage.run(HOUR);
            stage.hasAll(all);
            var rude = politeness.problems(Moment.QUIET);
            require(rude.isEmpty(), "requests are paced, but " + rude);
        }
    }

    /// Many pages of small size; the last ones are not taken for the end.
    static void pagesOfOne() {
        pages(1);
    }

    static void pagesOfTwenty() {
        pages(20);
    }

    static void pagesOfNineteen() {
        pages(19);
    }

    /// Some hundred events that a comparison names.
    static void comparedHundreds() {
        try (var stage = new Stage(RelayModels.honest(500).negFrame(4_096))) {
            stage.world.start();
            var all = stage.issues(450);
            all.forEach(stage::put);
            stage.serve(stage.repo);
            stage.run(Duration.ofMinutes(10));
            stage.hasAll(all);
        }
    }

    /// Events that a comparison names and that come only when they are asked for once more.
    static void lateIds() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            stage.relay.lie(withoutIds(Duration.ofMinutes(5), stage));
            stage.world.start();
            var all = stage.issues(12);
            all.forEach(stage::put);
            stage.serve(stage.repo);
            stage.run(Duration.ofMinutes(20));
            stage.hasAll(all);
        }
    }

    /// Events that a comparison names and that come only by other filters.
    static void neverByIds() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            stage.relay.lie(withoutIds(Duration.ofDays(5), stage));
            stage.world.start();
            var all = stage.issues(40);
            all.forEach(stage::put);
            stage.serve(stage.repo);
            stage.run(Duration.ofMinutes(20));
            stage.hasAll(all);
        }
    }

    /// Two relays name the same events, and the one that is asked first does not have them.
    static void askedOfTwo() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            var network = stage.world.network();
            var other = stage.world.addRelay("other.example.com", RelayModels.honest(500));
            network.weather(stage.node.name(), stage.relay.url()).latency(Duration.ofMillis(50));
            network.weather(stage.node.name(), other.url()).latency(Duration.ofMillis(52));
            stage.relay.lie(withoutIds(Duration.ofDays(5), stage));
            stage.repo.relays = List.of(stage.relay.url(), other.url());
            stage.world.start();
            var all = stage.issues(12);
            all.forEach(stage::put);
            all.forEach(other::put);
            stage.serve(stage.repo);
            stage.run(Duration.ofMinutes(5));
            stage.hasAll(all);
        }
    }

    private static Lie withoutIds(Duration howLong, Stage stage) {
        return new Lie() {
            @Override
            public void say(RelayMessage message, RelaySession session) {
                boolean isById = message instanceof RelayMessage.Delivery(var id, var _)
                        && id.text().startsWith("i");
                if (!isById || stage.world.time().elapsed().compareTo(howLong) > 0) {
                    session.send(message);
                }
            }
        };
    }

    /// What the relay has and told nobody is found within a day.
    static void daily() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(Duration.ofHours(2));
            var issue = stage.put(stage.people.issue(stage.repo));
            stage.run(Duration.ofHours(25));
            stage.has(issue);
        }
    }
}
