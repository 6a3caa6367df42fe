package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class AnswerScanTest {
    private static final String ID = "00000000000000ff".repeat(4);

    private final AnswerScan scan = new AnswerScan();

    /// With something before and behind, as in a buffer.
    private AnswerType read(String message) {
        var bytes = ("]]" + message + "\"true").getBytes(StandardCharsets.UTF_8);
        return scan.read(bytes, 2, bytes.length - 5);
    }

    @Test
    void typesAndSubscriptionsAreFoundWhereverSpacesStand() {
        assertEquals(AnswerType.EVENT, read("[\"EVENT\",\"s7\",{\"id\":\"" + ID + "\"}]"));
        assertEquals("s7", scan.text());
        assertEquals(7, scan.number(1));
        assertEquals(AnswerType.EVENT, read(" [ \"EVENT\" ,\n \"s12-3\" , {\"kind\": 1, \"id\" : \"" + ID + "\"} ]"));
        assertEquals(12, scan.number(1));
        assertEquals(0xff, scan.eventIdWord());
        assertEquals(AnswerType.EOSE, read("[\"EOSE\", \"q\"]"));
        assertTrue(scan.isText("q".getBytes(StandardCharsets.UTF_8)));
        assertFalse(scan.isText("qq".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void idOfEventIsFoundBehindContentThatSpeaksOfIds() {
        assertEquals(
                AnswerType.EVENT,
                read("[\"EVENT\",\"s\",{\"content\":\"\\\"id\\\":\\\"\",\"tags\":[[\"id\",\"x\"]],\"id\":\"" + ID
                        + "\"}]"));
        assertEquals(0xff, scan.eventIdWord());
        assertEquals(AnswerType.EVENT, read("[\"EVENT\",\"s\",{\"kind\":1}]"));
        assertEquals(0, scan.eventIdWord());
    }

    @Test
    void acknowledgementsTellWhetherAndWhy() {
        assertEquals(AnswerType.OK, read("[\"OK\",\"" + ID + "\",true,\"\"]"));
        assertEquals(0xff, scan.idWord());
        assertTrue(scan.isAccepted());
        assertEquals("", scan.reason());
        assertEquals(AnswerType.OK, read("[\"OK\", \"" + ID + "\", false, \"blocked: \\\"no\\\"\"]"));
        assertFalse(scan.isAccepted());
        assertEquals("blocked: \\\"no\\\"", scan.reason());
        assertEquals(AnswerType.OK, read("[\"OK\",\"" + ID + "\",false]"));
        assertFalse(scan.isAccepted());
        assertEquals("", scan.reason());
        assertEquals(AnswerType.OK, read("[\"OK\",\"short\",true]"));
        assertEquals(0, scan.idWord());
    }

    @Test
    void otherMessagesAreTold() {
        assertEquals(AnswerType.NOTICE, read("[\"NOTICE\",\"slow down\"]"));
        assertEquals("slow down", scan.text());
        assertEquals(AnswerType.CLOSED, read("[\"CLOSED\",\"q1\",\"error: no\"]"));
        assertEquals(AnswerType.AUTH, read("[\"AUTH\",\"challenge\"]"));
        assertEquals(AnswerType.NEG_ERR, read("[\"NEG-ERR\",\"n\",\"closed\"]"));
        assertEquals(AnswerType.NEG_MSG, read("[\"NEG-MSG\",\"n\",\"61\"]"));
        assertEquals("n", scan.text());
        assertTrue(scan.next());
        assertEquals("61", scan.text());
        assertFalse(scan.next());
        assertEquals(AnswerType.OTHER, read("[\"EVENTS\"]"));
        assertEquals(AnswerType.OTHER, read("{}"));
        assertEquals(AnswerType.OTHER, read(""));
    }

    @Test
    void whateverComesIsReadWithoutLeavingTheMessage() {
        var random = new SplittableRandom(5);
        var whole = "[\"OK\",\"" + ID + "\",true,\"dup\\\\\"]{\"id\":\"" + ID;
        for (int i = 0; i < 5000; i++) {
            var bytes = whole.substring(0, random.nextInt(whole.length() + 1)).getBytes(StandardCharsets.US_ASCII);
            for (int change = random.nextInt(4); change > 0 && bytes.length > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) "[]\",\\ x".charAt(random.nextInt(7));
            }
            scan.read(bytes, 0, bytes.length);
            scan.idWord();
            scan.eventIdWord();
            scan.isAccepted();
            scan.reason();
            scan.next();
            assertTrue(scan.textFrom() <= scan.textTo() && scan.textTo() <= bytes.length, scan.example());
        }
    }
}
