package dev.grapnel.sync.health;

import static dev.grapnel.sync.health.DialGround.DOUBTFUL;
import static dev.grapnel.sync.health.DialGround.ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.sync.health.DialGround.Behaviour;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What shows that we are cut off, and who is probed then (R6.6), when strangers name dead relays by the thousand.
final class DialProbesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Behaviour DEAD = Behaviour.fails(new Failure.ConnectFailed());
    private static final int HONEST = 1;

    private final DialGround ground = new DialGround();

    /// More new names a minute than there are probes.
    private void nameMore(int from, Duration time) {
        for (int minute = 0; minute < time.toMinutes(); minute++) {
            ground.wantAll(from + 5 * minute, from + 5 * minute + 5, ONE);
            ground.pass(MINUTE);
        }
    }

    @Test
    void whoWasConnectedBeforeIsProbedSoonHoweverManyDeadNamesThereAre() {
        ground.usually(DEAD);
        ground.does(HONEST, Behaviour.accepts());
        ground.want(HONEST);
        ground.pass(Duration.ofMinutes(10));
        ground.does(HONEST, DEAD);
        ground.drop(HONEST, new Failure.Broken(), false);
        ground.wantAll(100, 300, ONE);
        ground.pass(SECOND);
        assertTrue(ground.order.isCutOff());
        nameMore(300, Duration.ofMinutes(5));
        ground.does(HONEST, Behaviour.accepts());
        nameMore(400, Duration.ofMinutes(2));
        assertTrue(ground.up.containsKey(HONEST));
        assertFalse(ground.order.isCutOff());
    }

    /// Dead names of other repositories came first, so that we seem to be cut off before it is tried.
    @Test
    void whoWasNeverTriedIsDialledAtOnceHoweverManyOthersAreDead() {
        ground.usually(DEAD);
        ground.wantAll(100, 140, ONE);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.does(HONEST, Behaviour.accepts());
        ground.want(HONEST);
        ground.pass(SECOND);
        assertTrue(ground.up.containsKey(HONEST));
        assertFalse(ground.order.isCutOff());
    }

    @Test
    void whatOnlyWaitsIsProbedInItsTurnWhenItWasNeverTried() {
        ground.usually(DEAD);
        ground.wantAll(100, 110, ONE);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.forgetAttempts();
        ground.wantAll(200, 230, DOUBTFUL);
        ground.pass(MINUTE);
        assertEquals(2, ground.attempts.size(), "one in 30 s");
    }

    @Test
    void whoTheOperatorWantsIsDialledAtOnceAlthoughWeSeemToBeCutOff() {
        ground.usually(DEAD);
        ground.wantAll(100, 140, ONE);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.does(120, Behaviour.accepts());
        ground.order.hurry(120);
        ground.pass(SECOND);
        assertTrue(ground.up.containsKey(120));
    }

    @Test
    void whoMostRepositoriesNameIsProbedAmongTheFirst() {
        ground.usually(DEAD);
        ground.wantAll(100, 300, ONE);
        ground.want(HONEST, new Standing(false, false, 9, false));
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.does(HONEST, Behaviour.accepts());
        nameMore(300, Duration.ofMinutes(20));
        assertTrue(ground.up.containsKey(HONEST));
    }

    @Test
    void namesThatOnlyWaitShowNothingBesideOthers() {
        ground.usually(DEAD);
        ground.want(HONEST);
        ground.wantAll(100, 400, DOUBTFUL);
        ground.pass(Duration.ofMinutes(10));
        assertFalse(ground.order.isCutOff());
    }

    @Test
    void namesThatOnlyWaitAreEvidenceWhereThereAreNoOthers() {
        ground.usually(DEAD);
        ground.wantAll(100, 110, DOUBTFUL);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.does(105, Behaviour.accepts());
        ground.pass(Duration.ofMinutes(6));
        assertFalse(ground.order.isCutOff());
    }

    @Test
    void namesThatOnlyWaitAreNotProbedWhileOthersMayBe() {
        ground.usually(DEAD);
        ground.wantAll(0, 6, ONE);
        ground.wantAll(100, 130, DOUBTFUL);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.forgetAttempts();
        ground.pass(Duration.ofHours(1));
        assertEquals(120, ground.attempts.size(), "one in 30 s");
        assertEquals(
                Set.of(0, 1, 2, 3, 4, 5), ground.dialled().stream().collect(Collectors.toCollection(TreeSet::new)));
    }

    // ---- what counts as an answer

    @Test
    void whateverAServerAnswersOurNetworkWorks() {
        for (int status : new int[] {200, 301, 403, 404, 429, 503}) {
            var ground = new DialGround();
            ground.usually(DEAD);
            ground.does(0, Behaviour.answers(status));
            ground.wantAll(0, 10, ONE);
            ground.pass(SECOND);
            assertFalse(ground.order.isCutOff(), () -> "status " + status);
        }
    }

    @Test
    void anyAnswerEndsAnOutage() {
        ground.usually(DEAD);
        ground.wantAll(0, 6, ONE);
        ground.pass(MINUTE);
        assertTrue(ground.order.isCutOff());
        ground.does(3, Behaviour.answers(503));
        ground.pass(Duration.ofMinutes(6));
        assertFalse(ground.order.isCutOff());
        assertEquals(1, ground.notes(HealthNote.BackOnline.class).size());
    }
}
