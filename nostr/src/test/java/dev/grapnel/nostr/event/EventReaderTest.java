package dev.grapnel.nostr.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Fixture;
import dev.grapnel.nostr.Samples;
import dev.grapnel.nostr.key.Schnorr;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EventReaderTest {
    private static final EventReader READER = new EventReader(EventLimits.DEFAULTS);

    static Stream<Fixture> fixtures() {
        return Fixture.in("event");
    }

    static Stream<Fixture> goodFixtures() {
        return Fixture.in("event/good");
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void everyFixtureHasTheOutcomeWrittenBehindIt(Fixture fixture) {
        var outcome = READER.read(fixture.input().toArray());

        assertEquals(fixture.expected(), describe(outcome));
    }

    @ParameterizedTest
    @MethodSource("goodFixtures")
    void goodFixturesAreSignedByTheirAuthors(Fixture fixture) {
        var event = ((ParsedEvent.Valid) READER.read(fixture.input().toArray())).event();

        assertTrue(Schnorr.verify(event.author(), event.id(), event.signature()));
    }

    @ParameterizedTest
    @MethodSource("goodFixtures")
    void everyBeginningOfAnEventIsUnreadable(Fixture fixture) {
        var whole = fixture.input().toArray();
        int end = new String(whole, StandardCharsets.ISO_8859_1).stripTrailing().length();

        for (int length = 0; length < end; length++) {
            assertInstanceOf(ParsedEvent.Unreadable.class, READER.read(whole, 0, length), "length " + length);
        }
    }

    @Test
    void aRangeInsideALargerArrayIsReadAlone() {
        var event = Samples.note("x", List.of());
        var text = Samples.utf8("###" + event + "###");

        assertEquals(new ParsedEvent.Valid(event), READER.read(text, 3, text.length - 3));
    }

    @Test
    void tagsAreCountedUpToTheLimit() {
        var limits = EventLimits.DEFAULTS;
        var tag = List.of("t", "x");

        var most = Samples.note("", Collections.nCopies(limits.tagsMax(), tag));
        var over = Samples.note("", Collections.nCopies(limits.tagsMax() + 1, tag));

        assertEquals(limits.tagsMax(), assertValid(most).tags().size());
        assertDefect(EventDefect.Kind.TAGS_EXCEEDED, over);
    }

    @Test
    void tagElementsAreMeasuredInBytesOfPlainText() {
        int max = EventLimits.DEFAULTS.tagValueBytesMax();

        assertValid(Samples.note("", List.of(List.of("t", "\n".repeat(max)))));
        assertValid(Samples.note("", List.of(List.of("t", "é".repeat(max / 2)))));
        assertDefect(EventDefect.Kind.TAG_VALUE_TOO_LONG, Samples.note("", List.of(List.of("t", "x".repeat(max + 1)))));
        assertDefect(
                EventDefect.Kind.TAG_VALUE_TOO_LONG, Samples.note("", List.of(List.of("t", "é".repeat(max / 2 + 1)))));
        assertDefect(EventDefect.Kind.TAG_VALUE_TOO_LONG, Samples.note("", List.of(List.of("x".repeat(max + 1)))));
    }

    @Test
    void contentIsMeasuredInCharacters() {
        int max = EventLimits.DEFAULTS.contentMax();

        assertValid(Samples.note("\0".repeat(max / 8) + "\n".repeat(max - max / 8), List.of()));
        assertValid(Samples.note("🚀".repeat(max / 2) + "x".repeat(max / 2), List.of()));
        assertDefect(EventDefect.Kind.CONTENT_TOO_LONG, Samples.note("x".repeat(max + 1), List.of()));
        assertDefect(EventDefect.Kind.CONTENT_TOO_LONG, Samples.note("\n".repeat(max + 1), List.of()));
    }

    @Test
    void theEventIsMeasuredInItsNormalisedForm() {
        var event = Samples.note("x".repeat(100), List.of(List.of("t", "\u0001")));
        int length = event.json().length();
        var padded = Samples.utf8(event.toString().replace(",", " ,  "));
        var exact = new EventReader(new EventLimits(length, 10, 100, 1000, 32));
        var oneLess = new EventReader(new EventLimits(length - 1, 10, 100, 1000, 32));

        assertEquals(new ParsedEvent.Valid(event), exact.read(padded));
        assertEquals(
                EventDefect.Kind.EVENT_TOO_LARGE,
                assertInstanceOf(ParsedEvent.Defective.class, oneLess.read(padded))
                        .defect()
                        .kind());
    }

    @Test
    void fixedOverheadIs342Bytes() {
        var event = Samples.event(1_700_000_000, 1, List.of(), "");

        assertEquals(342, event.json().length());
    }

    @Test
    void aHundredThousandNestedArraysAreRefusedWithoutGrowingTheStack() {
        var event = Samples.note("x", List.of()).toString();
        var deep = event.substring(0, event.length() - 1) + ",\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertInstanceOf(ParsedEvent.Unreadable.class, READER.read(Samples.utf8(deep)));
    }

    @Test
    void aMillionUnknownFieldsAreIgnoredAndOneGivenTwiceIsNoticed() {
        var event = Samples.note("x", List.of());
        var unknown = new StringBuilder(event.toString());
        unknown.setLength(unknown.length() - 1);
        IntStream.range(0, 500_000).forEach(i -> unknown.append(",\"").append(i).append("\":0"));
        var twice = unknown + ",\"77\":0}";

        assertEquals(new ParsedEvent.Valid(event), READER.read(Samples.utf8(unknown + "}")));
        assertEquals("defective " + event.id() + " FIELD_TWICE", describe(READER.read(Samples.utf8(twice))));
    }

    @Test
    void noDefectTextHoldsAWordThatProgramsReadAsSomethingElse() {
        var words = List.of(
                "pay",
                "member",
                "subscription",
                "whitelist",
                "banned",
                "connection",
                "socket",
                "network",
                "timed out",
                "too many",
                "slow down",
                "duplicate",
                "blocked",
                "restricted",
                "rate",
                "limit",
                "throttl");
        Fixture.in("event").forEach(fixture -> {
            var text = text(READER.read(fixture.input().toArray()));
            words.forEach(word -> assertFalse(text.contains(word), fixture + ": " + text));
        });
    }

    private static Event assertValid(Event event) {
        assertEquals(new ParsedEvent.Valid(event), READER.read(event.json().toArray()));
        return event;
    }

    private static void assertDefect(EventDefect.Kind kind, Event event) {
        assertEquals(
                "defective " + event.id() + " " + kind,
                describe(READER.read(event.json().toArray())));
    }

    private static String describe(ParsedEvent outcome) {
        return switch (outcome) {
            case ParsedEvent.Valid(var event) -> "valid " + event;
            case ParsedEvent.Defective(var id, var defect) -> "defective " + id + " " + defect.kind();
            case ParsedEvent.Nameless(var defect) -> "nameless " + defect.kind();
            case ParsedEvent.Unreadable _ -> "unreadable";
        };
    }

    private static String text(ParsedEvent outcome) {
        return switch (outcome) {
            case ParsedEvent.Valid _ -> "";
            case ParsedEvent.Defective(var _, var defect) -> defect.text();
            case ParsedEvent.Nameless(var defect) -> defect.text();
            case ParsedEvent.Unreadable(var reason) -> reason;
        };
    }
}
