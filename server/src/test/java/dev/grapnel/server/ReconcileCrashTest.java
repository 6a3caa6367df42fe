package dev.grapnel.server;

import static dev.grapnel.server.CrashStory.ANN;
import static dev.grapnel.server.CrashStory.BOB;
import static dev.grapnel.server.CrashStory.OWNERS;
import static dev.grapnel.server.CrashStory.SERVED;
import static dev.grapnel.server.CrashStory.ref;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.EventId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The server dies after any step that changes what the next start finds, with two owners, one state and one pull
/// request: what it all comes to is what it comes to without a death (purgatory 11, rows 155, 156 and 199).
///
/// `-Dgrapnel.crash.stride=1` tries every step; otherwise every few.
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // starting a server takes longest
final class ReconcileCrashTest {
    private static final int STRIDE = Integer.getInteger("grapnel.crash.stride", 15);
    private static final String AFTER = "^after ";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path directory;

    private CrashStory story;

    @BeforeAll
    void begin() throws IOException {
        story = new CrashStory(directory);
    }

    @BeforeEach
    void revive() throws IOException {
        story.revive();
    }

    @AfterAll
    void end() {
        story.close();
    }

    /// What is done, to a name of its own each time.
    private abstract class Deed {
        private final String identifier;

        Deed(String identifier) {
            this.identifier = identifier;
        }

        String identifier() {
            return identifier;
        }

        /// What must be so before.
        abstract void prepare() throws IOException;

        /// Goes on although the server may die.
        abstract void act() throws IOException;

        /// Whoever got no answer does it again, and this time it must succeed.
        abstract void repeat() throws IOException;

        /// Events that are served together or not at all.
        abstract List<Event> together();

        /// Whether somebody who died now left everything that is needed.
        abstract boolean hasAll();

        abstract Event proposal();

        /// All that can be seen of it from outside.
        List<String> outcome() throws IOException {
            var seen = new ArrayList<String>();
            for (int owner : OWNERS) {
                seen.addAll(story.refs(owner, identifier, Map.of(proposal().id(), "proposal")));
            }
            try (var client = story.connect()) {
                for (var event : events()) {
                    seen.add(event.kind() + ": "
                            + client.query("{\"ids\":[\"" + event.id() + "\"]}").size());
                    seen.add(client.publish(event).message());
                }
            }
            return seen;
        }

        abstract List<Event> events();
    }

    private interface Deeds {
        Deed of(String identifier);
    }

    /// Both announcements wait; a push brings main, and with it the commit of the pull request.
    private class BranchPush extends Deed {
        private final Event ann = story.announcement(ANN, identifier());
        private final Event bob = story.announcement(BOB, identifier());
        private final Event state = story.state(ANN, identifier(), story.tip());
        private final Event proposal = story.proposal(identifier(), proposed());

        BranchPush(String identifier) {
            super(identifier);
        }

        String proposed() {
            return story.base();
        }

        String[] refs() {
            return new String[] {"main"};
        }

        @Override
        void prepare() throws IOException {
            story.hold(ann, bob, state, proposal);
        }

        @Override
        void act() {
            var _ = story.push(ANN, identifier(), refs());
        }

        @Override
        void repeat() {
            story.push(ANN, identifier(), refs()).orFail();
        }

        @Override
        List<Event> together() {
            return List.of(ann, bob, state);
        }

        @Override
        boolean hasAll() {
            return !story.refsOnDisk(ANN, identifier()).isEmpty();
        }

        @Override
        List<Event> events() {
            return List.of(ann, bob, state, proposal);
        }

        @Override
        Event proposal() {
            return proposal;
        }
    }

    /// The push brings the pull request as well, which is beside main.
    private final class MixedPush extends BranchPush {
        MixedPush(String identifier) {
            super(identifier);
        }

        @Override
        String proposed() {
            return story.aside();
        }

        @Override
        String[] refs() {
            return new String[] {"main", "aside:" + ref(proposal())};
        }

        @Override
        List<Event> together() {
            return events();
        }

        /// A push that has moved main alone must be repeated.
        @Override
        boolean hasAll() {
            return story.refsOnDisk(ANN, identifier()).contains(story.aside() + " " + ref(proposal()));
        }
    }

    /// The pull request is pushed to repositories that are served, and signed afterwards.
    private final class Upload extends Deed {
        private final Event proposal = story.proposal(identifier(), story.aside());

        Upload(String identifier) {
            super(identifier);
        }

        @Override
        void prepare() throws IOException {
            story.serve(identifier());
        }

        @Override
        void act() {
            if (story.push(ANN, identifier(), "aside:" + ref(proposal)).code() == 0) {
                story.publishInVain(proposal);
            }
        }

        @Override
        void repeat() throws IOException {
            story.push(ANN, identifier(), "aside:" + ref(proposal)).orFail();
            story.publish(proposal);
        }

        @Override
        List<Event> together() {
            return List.of();
        }

        @Override
        boolean hasAll() {
            return story.inside(view -> view.isHeld(proposal.id()) || view.isServed(proposal.id()));
        }

        @Override
        List<Event> events() {
            return List.of(proposal);
        }

        @Override
        Event proposal() {
            return proposal;
        }
    }

    /// An empty state takes every branch away, and leaves the pull request.
    private final class Emptying extends Deed {
        private final Event proposal = story.proposal(identifier(), story.base());
        private Event state = story.emptyState(BOB, identifier());

        Emptying(String identifier) {
            super(identifier);
        }

        @Override
        void prepare() throws IOException {
            story.serve(identifier());
            assertEquals("", story.publish(proposal));
            state = story.emptyState(BOB, identifier()); // newer than the one that governs
        }

        @Override
        void act() {
            story.publishInVain(state);
        }

        @Override
        void repeat() throws IOException {
            story.publish(state);
        }

        @Override
        List<Event> together() {
            return List.of();
        }

        @Override
        boolean hasAll() {
            return story.inside(view -> view.isHeld(state.id()) || view.isServed(state.id()));
        }

        @Override
        List<Event> events() {
            return List.of(state);
        }

        @Override
        Event proposal() {
            return proposal;
        }

        /// Each repository's record was written once.
        @Override
        List<String> outcome() throws IOException {
            var seen = new ArrayList<>(super.outcome());
            var lines = new ArrayList<String>();
            story.check(identifier(), lines);
            lines.stream().filter(line -> line.contains("\"trash\"")).forEach(line -> {
                assertTrue(line.contains(state.id().toHex()), line);
                seen.add(line.substring(line.indexOf("\"refCount\"")));
            });
            return seen;
        }
    }

    @Test
    void branchesAndWhatTheyReachComeToTheSame() throws Exception {
        dieEverywhere("branches", BranchPush::new);
    }

    @Test
    void branchesAndAPullRequestTogetherComeToTheSame() throws Exception {
        dieEverywhere("mixed", MixedPush::new);
    }

    @Test
    void uploadThatIsSignedLaterComesToTheSame() throws Exception {
        dieEverywhere("upload", Upload::new);
    }

    @Test
    void stateThatTakesEverythingAwayComesToTheSame() throws Exception {
        dieEverywhere("emptying", Emptying::new);
    }

    private void dieEverywhere(String name, Deeds deeds) throws Exception {
        var unharmed = deeds.of(name);
        unharmed.prepare();
        story.doom("never");
        unharmed.act();
        awaitServed(unharmed);
        story.assertNoUploads();
        var moments = story.spare().stream()
                .filter(moment -> moment.startsWith("after "))
                .toList();
        var expected = unharmed.outcome();
        story.assertClean(name);
        assertTrue(moments.size() > 8, moments::toString);
        for (int number = 1; number <= moments.size(); number += STRIDE) {
            try {
                dieAt(number, deeds.of(name + number), expected);
            } catch (AssertionError e) {
                throw new AssertionError(name + ", death " + number + ": " + moments.get(number - 1), e);
            }
        }
    }

    private void dieAt(int number, Deed deed, List<String> expected) throws Exception {
        deed.prepare();
        List<EventId> heard;
        try (var listener = story.listen(deed.identifier())) {
            story.doom(AFTER, number);
            deed.act();
            story.awaitDeath();
            heard = CrashStory.heard(listener);
        }
        assertEquals(heard.size(), new HashSet<>(heard).size(), () -> "heard twice: " + heard);
        boolean isServed = story.inside(view -> heard.stream().allMatch(view::isServed));
        assertTrue(isServed, "heard of, and not served");
        if (!deed.together().isEmpty()) {
            var _ = story.areServedInside(deed.together());
        }
        boolean hasAll = deed.hasAll();
        story.restart();
        if (hasAll) {
            assertEquals(expected, deed.outcome(), "before anything is repeated");
        }
        deed.repeat();
        awaitServed(deed);
        story.assertNoUploads();
        assertEquals(expected, deed.outcome());
        story.assertClean(deed.identifier());
    }

    private void awaitServed(Deed deed) {
        Gauges.awaitThat("everything is served", () -> {
            try {
                for (var event : deed.events()) {
                    if (!story.publish(event).equals(SERVED)) {
                        return false;
                    }
                }
                return true;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
