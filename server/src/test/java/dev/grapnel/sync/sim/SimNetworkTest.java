package dev.grapnel.sync.sim;

import static dev.grapnel.sync.sim.RelayUnderTest.URL;
import static dev.grapnel.sync.sim.RelayUnderTest.comments;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.outbound.Failure;
import dev.grapnel.purgatory.RelayPlaces;
import dev.grapnel.sync.sim.Endpoint.Welcome;
import dev.grapnel.sync.world.RelayInformation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SimNetworkTest {
    private final RelayUnderTest world =
            new RelayUnderTest(RelayModels.existing().disclosing());

    private List<String> dialled(Welcome welcome) {
        world.network.weather(URL).handshakes(welcome);
        var asker = Asker.dial(world.port, URL);
        world.time.runFor(Duration.ofSeconds(11));
        return asker.ends;
    }

    @Test
    void dialsFailInEveryWay() {
        assertEquals(List.of("NoSuchName"), dialled(new Welcome.Failed(new Failure.NoSuchName())));
        assertEquals(List.of("LookupFailed"), dialled(new Welcome.Failed(new Failure.LookupFailed())));
        assertEquals(List.of("CertificateInvalid"), dialled(new Welcome.Failed(new Failure.CertificateInvalid())));
        assertEquals(List.of("Timeout"), dialled(new Welcome.Silent()));
        assertEquals(List.of("status 429"), dialled(new Welcome.Refused(429, Optional.of(Duration.ofSeconds(7)))));
        assertEquals(List.of(), dialled(Welcome.GRANTED));
    }

    @Test
    void aNameThatNobodyHasDoesNotExist() {
        var asker = Asker.dial(
                world.port, RelayPlaces.parse("wss://nowhere.example").find().orElseThrow());
        world.run();
        assertEquals(List.of("NoSuchName"), asker.ends);
    }

    @Test
    void whatWasGivenUpIsNotTold() {
        var asker = new Asker(true);
        var dial = world.port.dial(URL, false, Duration.ofSeconds(10), asker);
        dial.cancel();
        world.run();
        assertFalse(asker.isOpen());
        assertEquals(List.of(), asker.ends);
    }

    @Test
    void dialsAreWrittenDown() {
        var dials = new ArrayList<DialRecord.Result>();
        world.network.watchDials(dial -> dials.add(dial.result()));
        dialled(Welcome.GRANTED);
        dialled(new Welcome.Failed(new Failure.NoSuchName()));
        assertEquals(List.of(DialRecord.Result.OPENED, DialRecord.Result.NO_SUCH_NAME), dials);
    }

    @Test
    void aHalfOpenLinkIsSilent() {
        world.fill(1);
        long before = world.asker.line().heardAt();
        world.network.weather(URL).swallow(true);
        world.asker.request("h1", comments().build());
        world.asker.line().ping();
        world.time.runFor(Duration.ofMinutes(2));
        assertEquals(before, world.asker.line().heardAt());
        assertEquals(List.of(), world.asker.heard);
        assertEquals(List.of(), world.asker.ends);
        world.asker.line().close();
        world.run();
        assertEquals(List.of("lost Cancelled"), world.asker.ends);
    }

    @Test
    void aPongIsHeard() {
        long before = world.asker.line().heardAt();
        world.run();
        world.asker.line().ping();
        world.run();
        assertNotEquals(before, world.asker.line().heardAt());
    }

    @Test
    void anOutageBreaksLinksAndKeepsOthersAway() {
        world.network.beginOutage("node");
        world.run();
        assertEquals(List.of("lost Broken"), world.asker.ends);
        var asker = Asker.dial(world.port, URL);
        world.run();
        assertEquals(List.of("LookupFailed"), asker.ends);
        world.network.endOutage("node");
        var other = Asker.dial(world.port, URL);
        world.run();
        assertTrue(other.isOpen());
    }

    @Test
    void moreThanAThousandUndecidedEventsWaitForADecision() {
        world.fill(500);
        var slow = new Asker(false);
        world.port.dial(URL, false, Duration.ofSeconds(10), slow);
        world.run();
        for (var id : List.of("h1", "h2", "h3")) {
            slow.request(id, comments().build());
        }
        world.run();
        assertEquals(1_000, slow.undecided.size());
        slow.undecided.removeFirst().run();
        world.run();
        assertEquals(1_000, slow.undecided.size());
        List.copyOf(slow.undecided).forEach(Runnable::run);
        world.run();
        assertEquals(500, slow.events("h3").size());
    }

    @Test
    void messagesOfOneSubscriptionStayInOrderWhenOthersOvertakeThem() {
        var events = world.fill(50);
        world.network.weather(URL).disorder(Duration.ofSeconds(1));
        world.asker.request("h1", comments().build());
        world.asker.request("h2", comments().build());
        world.time.runFor(Duration.ofMinutes(2));
        assertEquals(events.reversed(), world.asker.events("h1"));
        assertEquals(events.reversed(), world.asker.events("h2"));
        assertEquals(2, world.asker.said().size());
        assertNotEquals("h1".repeat(50), String.join("", world.asker.heardIds().subList(0, 50)));
    }

    @Test
    void messagesAreLostAndRepeatedAsTheWeatherSays() {
        world.fill(200);
        world.network.weather(URL).loss(0.5);
        world.asker.request("h1", comments().build());
        world.run();
        assertTrue(world.asker.events("h1").size() < 150);
        world.network.weather(URL).clear().repetition(0.5);
        world.asker.request("h2", comments().build());
        world.run();
        assertTrue(world.asker.events("h2").size() > 250);
    }

    @Test
    void aLinkMayBreakBetweenAnyTwoMessages() {
        world.fill(200);
        world.network.weather(URL).cut(0.05);
        world.asker.request("h1", comments().build());
        world.run();
        assertEquals(List.of("lost Broken"), world.asker.ends);
        assertTrue(world.asker.events("h1").size() < 200);
    }

    @Test
    void aRelayTellsOfItself() {
        var answers = new ArrayList<Optional<RelayInformation>>();
        world.port.ask(URL, false, answers::add);
        world.run();
        assertEquals(500, answers.getFirst().orElseThrow().subscriptionsMax().orElseThrow());
        world.network.weather(URL).handshakes(new Welcome.Silent());
        world.port.ask(URL, false, answers::add);
        world.run();
        assertTrue(answers.getLast().isEmpty());
    }

    @Test
    void aNodeThatHasCrashedHearsNothing() {
        world.fill(3);
        world.asker.request("h1", comments().build());
        world.port.crash();
        world.run();
        assertEquals(List.of(), world.asker.heard);
        assertEquals(List.of(), world.asker.ends);
        assertEquals(List.of(), world.relay.sessions());
    }
}
