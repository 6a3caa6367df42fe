package dev.grapnel.sync.sim;

import static dev.grapnel.sync.sim.Stage.require;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.sync.sim.Core.Moment;
import dev.grapnel.sync.sim.RelayRecord.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// More of [Scenes]: what hangs together, who waits for whom, and manners.
final class SocialScenes {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private SocialScenes() {}

    // ---- threads

    /// Answers to answers, each known at the relay before what it answers is known here.
    static void thread() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            var issue = stage.people.issue(stage.repo);
            var thread = new ArrayList<>(List.of(issue, stage.people.comment(stage.repo, issue, issue)));
            for (int depth = 0; depth < 4; depth++) {
                thread.add(stage.people.reply(stage.repo, thread.getLast()));
            }
            thread.reversed().forEach(stage::put);
            stage.world.publish(issue, List.of(stage.node.url()));
            stage.run(Duration.ofMinutes(5));
            stage.hasAll(thread);
            var last = stage.publish(stage.people.reply(stage.repo, thread.getLast()));
            stage.run(SECOND);
            stage.has(last);
        }
    }

    /// A state is deleted by its address, which is all that names it.
    static void stateDeleted() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            var state = stage.repo.states.getFirst();
            stage.has(state);
            stage.run(SECOND);
            stage.publish(stage.people.deletionOfAddress(state));
            stage.run(MINUTE);
            stage.hasNot(state);
        }
    }

    /// A root names two repositories, and the second is announced later.
    static void rootOfTwo() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            var other = stage.world.addRelay("other.example.com", RelayModels.honest(500));
            var second = stage.people.repository(Stage.BOB, List.of(stage.node.name()), List.of(other.url()));
            var root = stage.publish(stage.people.sign(
                    Stage.BOB,
                    Kinds.ISSUE,
                    List.of(List.of("a", stage.repo.coordinate()), List.of("a", second.coordinate())),
                    "of both"));
            stage.run(MINUTE);
            stage.has(root);
            var comment = stage.people.comment(second, root, root);
            stage.world.publish(comment, List.of(other.url()));
            stage.run(MINUTE);
            stage.hasNot(comment);
            stage.serve(second);
            stage.run(Duration.ofMinutes(5));
            stage.has(comment);
        }
    }

    // ---- who waits for whom

    /// A state of somebody who was invited, known long before the invitation is answered at another place.
    static void stateBeforeAcceptance() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            stage.repo.invited.add(Stage.BOB);
            stage.publish(stage.people.announce(stage.repo));
            stage.run(MINUTE);
            var state = stage.people.state(stage.repo, Stage.BOB);
            stage.world.push(state, stage.node.name());
            stage.publish(state);
            stage.run(Duration.ofMinutes(10));
            stage.hasNot(state);
            stage.repo.relays = List.of();
            stage.world.publish(stage.people.accept(stage.repo, Stage.BOB), List.of(stage.node.url()));
            stage.run(Duration.ofMinutes(5));
            stage.has(state);
        }
    }

    /// The answer of somebody who was invited and has another server, known before the invitation.
    static void acceptanceBeforeInvitation() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            var servers = stage.repo.servers;
            stage.repo.servers = List.of("elsewhere.example.com");
            var acceptance = stage.publish(stage.people.accept(stage.repo, Stage.BOB));
            stage.run(Duration.ofSeconds(30));
            stage.hasNot(acceptance);
            stage.repo.servers = servers;
            stage.repo.invited.add(Stage.BOB);
            stage.publish(stage.people.announce(stage.repo));
            stage.run(Duration.ofMinutes(2));
            stage.has(acceptance);
        }
    }

    /// An issue comes while its repository is not announced; it is looked at again when that is announced once more.
    static void announcedAgain() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            var deletion = stage.people.deletionOfAddress(stage.people.announce(stage.repo));
            stage.world.publish(deletion, List.of(stage.node.url()));
            var issue = stage.publish(stage.people.issue(stage.repo));
            stage.run(Duration.ofSeconds(20));
            stage.hasNot(issue);
            stage.serve(stage.repo);
            stage.run(Duration.ofMinutes(2));
            stage.has(issue);
        }
    }

    /// An announcement that waits for its data is known to the relay, and its states come.
    static void announcedAtRelay() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            stage.node.bootstrap(stage.relay.url());
            stage.world.start();
            stage.run(MINUTE);
            var issue = stage.put(stage.people.issue(stage.repo));
            stage.publish(stage.people.announce(stage.repo));
            stage.run(MINUTE);
            var state = stage.people.state(stage.repo, Stage.ANN);
            stage.publish(state);
            stage.run(MINUTE);
            stage.world.push(state, stage.node.name());
            stage.run(Duration.ofMinutes(5));
            stage.has(state);
            stage.has(issue);
        }
    }

    /// The same where nothing can be compared, and everything was there before.
    static void announcedAtPlainRelay() {
        try (var stage = new Stage(RelayModels.plain(500))) {
            var state = stage.people.state(stage.repo, Stage.ANN);
            stage.world.push(state, stage.node.name());
            stage.put(stage.people.announce(stage.repo));
            stage.put(state);
            var issue = stage.put(stage.people.issue(stage.repo));
            stage.node.bootstrap(stage.relay.url());
            stage.world.start();
            stage.run(Duration.ofMinutes(5));
            stage.has(state);
            stage.has(issue);
        }
    }

    // ---- manners

    /// A relay that allows ten subscriptions has no more than eight open.
    static void slots() {
        try (var stage = new Stage(RelayModels.small().disclosing()).open()) {
            for (int count = 0; count < 12; count++) {
                stage.addRepo();
                stage.issues(5).forEach(stage::publish);
            }
            stage.run(Duration.ofMinutes(10));
            int most = stage.relay.record().usages().stream()
                    .mapToInt(usage -> usage.slotsMost)
                    .max()
                    .orElse(0);
            require(most <= 8, "eight slots are taken at most, not " + most);
        }
    }

    /// The first of many, which are alike.
    private static String brief(List<String> problems) {
        return problems.size() + " times: " + problems.stream().limit(3).toList();
    }

    /// A relay that answers 120 queries a minute is asked more slowly after the first complaint.
    static void slowRelay() {
        try (var stage = new Stage(RelayModels.existingOlder()).open()) {
            for (int count = 0; count < 5; count++) {
                stage.addRepo();
            }
            stage.run(Duration.ofMinutes(2));
            var all = new ArrayList<Event>();
            for (int count = 0; count < 300; count++) {
                all.add(stage.publish(stage.people.issue(stage.repo)));
                stage.run(SECOND);
            }
            stage.run(HOUR);
            stage.hasAll(all);
            long complaints = stage.relay.record().count(RelayRecord.Limit.QUERIES);
            require(complaints <= 1, "there is one complaint, not " + complaints);
        }
    }

    /// A relay that complains is left alone for a while, and then asked more slowly, or it would complain for ever.
    static void complaint() {
        try (var stage = new Stage(RelayModels.plain(1).queries(60, "rate-limited: slow down"))) {
            var politeness = new Politeness(stage.world);
            stage.world.start();
            var all = new ArrayList<Event>();
            for (int count = 0; count < 250; count++) {
                all.add(stage.put(stage.people.issue(stage.repo)));
                stage.run(SECOND);
            }
            stage.serve(stage.repo);
            stage.run(Duration.ofHours(2));
            var rude = politeness.problems(Moment.QUIET);
            require(rude.isEmpty(), "nothing is asked while the relay rests, but " + brief(rude));
            stage.hasAll(all);
            require(stage.relay.record().count(RelayRecord.Limit.QUERIES) > 0, "the relay complained");
        }
    }

    /// Requests are begun with a burst of ten and two a second, however fast the relay is.
    static void paced() {
        try (var stage = new Stage(RelayModels.plain(1))) {
            stage.world.network().weather(stage.node.name(), stage.relay.url()).latency(Duration.ofMillis(5));
            stage.world.start();
            for (int count = 0; count < 100; count++) {
                stage.put(stage.people.issue(stage.repo));
                stage.run(SECOND);
            }
            stage.serve(stage.repo);
            stage.runUntil(stage::isLinked);
            stage.run(Duration.ofSeconds(30));
            int begun = stage.asked(Purpose.HISTORIC, Purpose.IDS, Purpose.NEGENTROPY)
                    .size();
            require(begun <= 10 + 2 * 32, "two requests a second are begun, not " + begun + " in half a minute");
        }
    }

    /// A relay that complains of the catch-up itself is left alone, too; then the rest is asked for.
    static void complaintInCatchUp() {
        try (var stage = new Stage(RelayModels.plain(500))) {
            var politeness = new Politeness(stage.world);
            stage.open().run(HOUR);
            stage.relay.model().queries(2, "rate-limited: slow down");
            stage.cut();
            var issue = stage.publish(stage.people.issue(stage.repo));
            stage.run(Duration.ofMinutes(5));
            var rude = politeness.problems(Moment.QUIET);
            require(rude.isEmpty(), "nothing is asked while the relay rests, but " + brief(rude));
            require(stage.relay.record().count(RelayRecord.Limit.QUERIES) > 0, "the relay complained");
            stage.has(issue);
        }
    }

    /// Relays of several makes, each with a limit that has to be learned: what is published then is here at once.
    static void learnedLimits() {
        for (var model : List.of(
                RelayModels.withoutLimitZero(),
                RelayModels.threeFilters(),
                RelayModels.small(),
                RelayModels.strfry())) {
            try (var stage = new Stage(model).open()) {
                for (int count = 0; count < 3; count++) {
                    stage.addRepo();
                    stage.run(MINUTE);
                }
                stage.run(Duration.ofMinutes(10));
                var issue = stage.publish(stage.people.issue(stage.repo));
                stage.run(SECOND);
                require(stage.node.serves(issue.id()), "what " + model.name + " gets is here at once");
            }
        }
    }

    /// After an outage of our own the first relay is there at once, and nobody is blamed.
    static void outage() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            var relays = new ArrayList<>(List.of(stage.relay.url()));
            for (int number = 0; number < 6; number++) {
                relays.add(stage.world
                        .addRelay("more" + number + ".example.com", RelayModels.honest(500))
                        .url());
            }
            stage.repo.relays = relays;
            stage.open().run(Duration.ofMinutes(20));
            stage.world.network().beginOutage(stage.node.name());
            stage.run(Duration.ofMinutes(50));
            stage.world.network().endOutage(stage.node.name());
            stage.run(Duration.ofMinutes(1));
            require(
                    !stage.world.network().connections(stage.node.name()).isEmpty(),
                    "a link is up a minute after the outage");
        }
    }

    /// A relay that failed for hours is not dialled anew because the node was restarted.
    static void restart() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            var dials = new ArrayList<DialRecord>();
            stage.world.network().watchDials(dials::add);
            var second = stage.world.addRelay("second.example.com", RelayModels.honest(500));
            stage.repo.relays = List.of(stage.relay.url(), second.url());
            stage.open().run(Duration.ofMinutes(10));
            stage.stopRelay();
            stage.run(Duration.ofHours(3));
            stage.node.stop();
            stage.run(SECOND);
            stage.node.restart();
            long restarted = stage.world.time().nanos();
            stage.run(Duration.ofMinutes(1));
            long soon = dials.stream()
                    .filter(dial -> dial.begun() >= restarted && dial.relay().equals(stage.relay.url()))
                    .count();
            require(soon <= 1, "a failed relay is dialled later, not " + soon + " times within a minute");
        }
    }

    /// A relay that nobody names is left; named again, it is there again.
    static void removal() {
        try (var stage = new Stage(RelayModels.honest(500)).open()) {
            stage.run(MINUTE);
            stage.repo.relays = List.of();
            stage.world.publish(stage.people.announce(stage.repo), List.of(stage.node.url()));
            stage.run(Duration.ofMinutes(4));
            require(!stage.isLinked(), "a relay that nobody names is left");
            stage.repo.relays = List.of(stage.relay.url());
            var issue = stage.publish(stage.people.issue(stage.repo));
            stage.world.publish(stage.people.announce(stage.repo), List.of(stage.node.url()));
            stage.run(Duration.ofMinutes(2));
            stage.has(issue);
        }
    }

    /// The relay of a repository whose announcement waits stays.
    static void waitingRelay() {
        try (var stage = new Stage(RelayModels.honest(500))) {
            stage.world.start();
            stage.world.publish(stage.people.announce(stage.repo), List.of(stage.node.url()));
            stage.run(Duration.ofMinutes(15));
            require(stage.relay.record().usages().size() == 1, "the link that was made is still there");
        }
    }
}
