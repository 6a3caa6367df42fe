package dev.grapnel.sync.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.message.ClientMessage;
import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.sync.SyncConfig;
import dev.grapnel.sync.health.RelayStatus;
import dev.grapnel.sync.sim.RelayModel;
import dev.grapnel.sync.sim.RelayModel.Auth;
import dev.grapnel.sync.sim.RelayModels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Relays that do not want us, or not all that we ask (R4.3, R4.5a, R4.20 line 10, tests 162 and 163).
final class PolicyRefusalsTest {
    private static RelayModel secluded() {
        return RelayModels.plain(500).auth(Auth.OFFERED).grasp("GRASP-01", "GRASP-08");
    }

    private static boolean hasAuthenticated(OneLink link) {
        return !link.relay()
                .frames(frame -> frame.message() instanceof ClientMessage.Authenticate)
                .isEmpty();
    }

    @Test
    void aPrivateServiceIsNotDialled() {
        try (var link = new OneLink(secluded())) {
            link.repository("elsewhere");
            link.run(Duration.ofHours(3));
            assertEquals(0, link.relay().dials());
            assertFalse(hasAuthenticated(link));
            assertEquals(RelayStatus.POLICY_LIMITED, link.portrait().status());
            assertEquals(6, link.portrait().status().gauge());
        }
    }

    @Test
    void aPrivateServiceThatTheOperatorNamesIsDialled() {
        var known = new OneLink(secluded());
        var url = known.relay().url();
        known.close();
        try (var link = new OneLink(secluded(), usual -> withPeer(usual, url))) {
            link.repository("elsewhere");
            link.settle();
            assertEquals(1, link.relay().dials());
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    private static SyncConfig withPeer(SyncConfig usual, RemoteUrl peer) {
        return new SyncConfig(
                usual.bootstrap(),
                List.of(peer),
                usual.isPrivate(),
                usual.requestRate(),
                usual.connectTime(),
                usual.checkEvery(),
                usual.feed(),
                usual.health(),
                usual.intake(),
                usual.link());
    }

    @ParameterizedTest
    @CsvSource({
        "restricted: not for you, restricted",
        "blocked: no, blocked",
        "only members may ask, membership_required",
        "payment needed, membership_required",
        "filter validation failed, filter_incompatible"
    })
    void refusalsAreCountedByTheirCategory(String text, String category) {
        try (var link = new OneLink(RelayModels.plain(500))) {
            var root = link.issue(link.repository("partly"), "by e, not by A");
            var all = link.reactions(root, 3);
            all.forEach(link.relay().relay()::put);
            link.relay().play(Grudge.closing(Integer.MAX_VALUE, text, message -> Grudge.isPageBy(message, 'A')));
            link.settle();
            link.assertHas(all);
            assertEquals(
                    List.of(category),
                    link.notes(LinkNote.PolicyRefusal.class).stream()
                            .map(LinkNote.PolicyRefusal::category)
                            .toList());
            assertEquals(LinkState.WITH_FAILURES, link.state());
            assertEquals(RelayStatus.HEALTHY, link.portrait().status());
        }
    }

    @Test
    void aRelayThatRefusesEverythingIsLeftAloneForADayWithoutBlame() {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("unwelcome");
            link.relay().play(Grudge.closing(Integer.MAX_VALUE, "restricted: not for you", message -> true));
            link.run(Duration.ofHours(3));
            assertEquals(RelayStatus.POLICY_LIMITED, link.portrait().status());
            assertEquals(0, link.portrait().failures());
            assertEquals(1, link.relay().dials());
            link.run(Duration.ofHours(22));
            assertEquals(2, link.relay().dials());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void aRefusedFilterIsLeftAloneForADayOnLaterConnectionsToo(int minutesAway) {
        try (var link = new OneLink(RelayModels.plain(500))) {
            link.repository("partly");
            link.relay()
                    .play(Grudge.closing(Integer.MAX_VALUE, "blocked: no", message -> Grudge.isPageBy(message, 'A')));
            link.settle();
            assertEquals(1, refused(link));
            link.world().network().stop(link.relay().url());
            link.run(Duration.ofMinutes(minutesAway));
            link.world().network().start(link.relay().url());
            link.run(Duration.ofHours(2));
            assertEquals(2, link.portrait().link().generation());
            assertEquals(1, refused(link));
            assertEquals(LinkState.WITH_FAILURES, link.state());
            link.relay().play(new Ear.Script() {});
            link.run(Duration.ofHours(25));
            assertTrue(refused(link) >= 2);
            assertEquals(LinkState.CONNECTED, link.state());
        }
    }

    private static int refused(OneLink link) {
        return link.relay()
                .frames(frame -> Grudge.isPageBy(frame.message(), 'A'))
                .size();
    }
}
