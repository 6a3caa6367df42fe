package dev.grapnel.purgatory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.store.StoreSamples;
import dev.grapnel.store.row.Repair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What follows when git data and events come together, and when something fails on the way. Numbers are rows
/// of purgatory 11.
final class ReconcileTest extends TheoremWorldTest {
    // ---- proposals

    @Test
    void proposalForTwoNamesReachesBothWhereverItsCommitIsPushedTo() throws Exception {
        serve(ANN, "x", 0);
        serve(BOB, "y", 1);
        var proposal = pullRequest(CAROL, 2, coordinate(ANN, "x"), coordinate(BOB, "y"));
        send(HELD, proposal);
        var ref = "refs/nostr/" + proposal.id();
        var answer = push(ANN, "x", Map.of(ref, commit(2)));
        assertTrue(answer.contains("ok " + ref), answer);
        assertEquals(commit(2), refs(ANN, "x").get(ref));
        world.rest();
        var other = world.refs(TheoremWorld.address(BOB, "y")).target(new RefName(ref));
        boolean isInLedger = world.repairs().containsKey(TheoremWorld.address(BOB, "y"));
        assertTrue(other.equals(commit(2)) || isInLedger, "neither the ref nor a place in the ledger");
    }

    /// Row 77, P-531: everybody sees its commit only when the branch is there.
    @Test
    void proposalThatAPushBringsToLightIsServedBeforeThePushIsAnswered() throws Exception {
        send(HELD, announcement(ANN, "x"));
        send(HELD, state(ANN, "x", 0, 1));
        var proposal = pullRequest(CAROL, 0, coordinate(ANN, "x"));
        send(HELD, proposal);
        pushMain(ANN, "x", 1);
        assertTrue(isServed(proposal));
        assertEquals(commit(0), refs(ANN, "x").get("refs/nostr/" + proposal.id()));
    }

    @Test
    void refOfAProposalGoesWithIt() throws Exception {
        serve(ANN, "x", 0);
        var proposal = pullRequest(CAROL, 0, coordinate(ANN, "x"));
        send(SERVED, proposal);
        assertEquals(commit(0), refs(ANN, "x").get("refs/nostr/" + proposal.id()));
        send(
                SERVED,
                StoreSamples.event(
                        CAROL,
                        Kinds.DELETION,
                        second(),
                        List.of(List.of("e", proposal.id().toHex())),
                        ""));
        world.rest();
        assertEquals(
                List.of(MAIN),
                world.refs(TheoremWorld.address(ANN, "x")).values().keySet().stream()
                        .map(RefName::text)
                        .toList());
    }

    /// As long as the event lies in the trash with the repository that carried it, it may come back.
    @Test
    void refOfAProposalStaysElsewhereUntilTheProposalIsGoneForGood() throws Exception {
        send(HELD, announcement(ANN, "x", BOB));
        send(HELD, announcement(BOB, "x", ANN));
        send(HELD, state(ANN, "x", 0, 0));
        pushMain(ANN, "x", 0);
        var proposal = pullRequest(CAROL, 0, coordinate(ANN, "x"));
        send(SERVED, proposal);
        var ref = new RefName("refs/nostr/" + proposal.id());
        var address = TheoremWorld.address(BOB, "x");
        assertEquals(commit(0), world.refs(address).target(ref));
        world.advance(Duration.ofSeconds(5));
        send(
                SERVED,
                StoreSamples.event(ANN, Kinds.DELETION, second(), List.of(List.of("a", coordinate(ANN, "x"))), ""));
        world.rest();
        assertFalse(isServed(proposal));
        assertEquals(commit(0), world.refs(address).target(ref));

        world.advance(Duration.ofDays(91));
        world.cleanUp();
        world.rest();
        assertTrue(world.refs(address).target(ref).isZero());
        assertEquals(Map.of(), world.repairs());
    }

    // ---- changes on the way

    @Test
    void whatARunBringsToLightIsSeenByThoseWhoWaitForIt() throws Exception {
        send(HELD, announcement(ANN, "x", BOB));
        send(HELD, announcement(BOB, "x", ANN));
        send(HELD, state(ANN, "x", 0, 1));
        pushMain(ANN, "x", 1);
        var hiding = state(BOB, "x", 1, 0);
        send(SERVED, hiding);
        world.submit(announcement(CAROL, "x"), false);
        send(SERVED, state(CAROL, "x", 1, 0));
        var waiting = state(CAROL, "x", 2, 1);
        send(HELD, waiting);
        send(
                SERVED,
                StoreSamples.event(
                        BOB,
                        Kinds.DELETION,
                        second(),
                        List.of(List.of("e", hiding.id().toHex())),
                        ""));
        world.rest();
        assertEquals(commit(1), refs(ANN, "x").get(MAIN));
        assertTrue(isServed(waiting), "its commit can be seen by everybody");
        assertEquals(commit(1), refs(CAROL, "x").get(MAIN));
    }

    @Test
    void pushWhoseStateIsTakenBackAtTheLastMomentIsRefused() throws Exception {
        serve(ANN, "x", 0);
        var state = state(ANN, "x", 1, 1);
        send(HELD, state);
        world.betweenVerdictAndRun(() -> send(
                SERVED,
                StoreSamples.event(
                        ANN,
                        Kinds.DELETION,
                        second(),
                        List.of(List.of("e", state.id().toHex())),
                        "")));
        var answer = push(ANN, "x", Map.of(MAIN, commit(1)));
        assertTrue(answer.contains("ng " + MAIN + " authorisation failed: state changed during push"), answer);
        assertEquals(Map.of(MAIN, commit(0)), refs(ANN, "x"));
    }

    @Test
    void pushThatCompletesANewerStateOfItsAuthorIsOk() throws Exception {
        serve(ANN, "x", 0);
        var older = state(ANN, "x", 1, 2);
        var newer =
                state(ANN, "x", 2, List.of(List.of("refs/heads/dev", commit(2).toString())));
        send(HELD, older);
        send(HELD, newer);
        pushMain(ANN, "x", 2);
        assertTrue(isServed(newer) && !isServed(older));
        assertEquals(Map.of("refs/heads/dev", commit(2)), refs(ANN, "x"));
    }

    // ---- failures

    /// The run has read the ledger before, and must not throw away what it has not seen.
    @Test
    void refOfAProposalThatIsTakenBackDuringARunGoes() throws Exception {
        serve(ANN, "x", 0);
        var proposal = pullRequest(CAROL, 0, coordinate(ANN, "x"));
        send(SERVED, proposal);
        world.rest();
        var address = TheoremWorld.address(ANN, "x");
        send(HELD, state(ANN, "x", 1, 1));
        world.put(Repair.due(address, Instant.EPOCH));
        var deletion = StoreSamples.event(
                CAROL,
                Kinds.DELETION,
                second(),
                List.of(List.of("e", proposal.id().toHex())),
                "");
        world.betweenRefsAndCommit(() -> world.submit(deletion, false));
        pushMain(ANN, "x", 1);
        world.rest();
        assertTrue(world.refs(address)
                .target(new RefName("refs/nostr/" + proposal.id()))
                .isZero());
        assertEquals(Map.of(), world.repairs());
    }

    @Test
    void rowOfARepositoryThatIsNobodysIsForgotten() throws Exception {
        serve(ANN, "x", 0);
        world.put(Repair.due(TheoremWorld.address(CAROL, "z"), Instant.EPOCH));
        world.put(Repair.due(TheoremWorld.address(BOB, "x"), Instant.EPOCH));
        world.rest();
        world.put(Repair.due(TheoremWorld.address(ANN, "x"), Instant.EPOCH)); // behind what the ledger asked for
        world.rest();
        assertEquals(Map.of(), world.repairs());
    }

    /// Row 88.
    @Test
    void pushThatCouldNotBeStoredIsToldSoAndServedSoonAfter() throws Exception {
        var announcement = announcement(ANN, "x");
        var state = state(ANN, "x", 0, 0);
        send(HELD, announcement);
        send(HELD, state);
        world.rest();
        world.setBroken(true);
        var answer = push(ANN, "x", Map.of(MAIN, commit(0)));
        assertTrue(answer.contains("ng " + MAIN), answer);
        assertFalse(isServed(announcement) || isServed(state));
        world.setBroken(false);
        world.retry();
        assertTrue(isServed(announcement) && isServed(state), "nobody tried again");
        pushMain(ANN, "x", 0);
    }
}
