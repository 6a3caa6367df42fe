package dev.grapnel.nostr.negentropy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.grapnel.nostr.Bytes;
import dev.grapnel.nostr.event.EventId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The published values of relay 9.5, byte for byte.
final class NegentropyVectorTest {
    private static final Item EE =
            new Item(12345, EventId.parse("ee".repeat(32)).require());

    private static final String FIRST_OF_40 = """
            61876901df01e42a32b7f468d4ac56e98af76d1276a40201220137610be35b6874b75f7b1d830cce248e02013901f641a76940778c8f52ca5ab715d25179
            02000119e4bc237b0d25aef6249cb005d2c5220101c201ce34a727115ccaac1b796db0676a6c7b02018e0133c6d79b2a1c7919facc3ed9ca37dc5f020158
            01cbb63730901ff54135bd493398746feb020001d51010c944990eb2a9833aad5a07ab080101790195b24eec4984e8c6ca428080b0846b3d02000140c5e3
            a263505396ae1f180d69b426480101c101f95548ad6ffab3a4050d2619e82fbe53020001df389fbbceddd3f5d5c32702cc4f7c31010183013d22ac31aa33
            7a88133cf4c9f238b713020001c678dcfae8d108d18d8d4187a7c7cac50101b901d43621f525e45ad66542798a802ef6d3000001574631ff2845ec74d932
            fba62bb031a9
            """.replace("\n", "");

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "1, 01",
        "127, 7f",
        "128, 8100",
        "255, 817f",
        "300, 822c",
        "16383, ff7f",
        "16384, 818000",
        "-1, 81ffffffffffffffff7f"
    })
    void varintsAreWrittenMostSignificantDigitFirst(long value, String hex) {
        var out = new byte[Varint.BYTES_MAX];
        int end = Varint.write(value, out, 0);
        assertArrayEquals(HexFormat.of().parseHex(hex), Arrays.copyOf(out, end));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 7f9c9e31ac8256ca2f258583df262dbc",
        "ee, d5530eded759c1cb5749aacb9bc66bb2",
        "aa bb, 2e77f59864f98c80d0cef0915e063b05"
    })
    void fingerprintsOfRepeatedBytes(String bytes, String expected) {
        var items = Arrays.stream(bytes.split(" "))
                .filter(text -> !text.isEmpty())
                .map(text -> new Item(1, EventId.parse(text.repeat(32)).require()))
                .toList();
        assertEquals(expected, fingerprintOf(items));
    }

    @Test
    void sumThatWrapsToZeroStillCountsItsItems() {
        var all = new Item(1, EventId.parse("ff".repeat(32)).require());
        var one = new Item(1, EventId.parse("01" + "00".repeat(31)).require());
        assertEquals("58cc2f44d3a27866874701fbad573da9", fingerprintOf(List.of(all, one)));
    }

    @Test
    void emptyInitiatorListsNothingUpToInfinity() {
        assertEquals("6100000200", initiator(List.of()).first().toHex());
    }

    @Test
    void initiatorListsItsOneItem() {
        assertEquals(
                "6100000201" + "ee".repeat(32), initiator(List.of(EE)).first().toHex());
    }

    @Test
    void responderListsItsOneItem() {
        assertEquals("6100000201" + "ee".repeat(32), respond(List.of(EE), "6100000200"));
    }

    @Test
    void responderAnswersAnotherVersionWithItsOwn() {
        assertEquals("61", respond(List.of(EE), "62aabbccddeeff"));
    }

    @Test
    void emptyResponderListsNothing() {
        assertEquals("6100000200", respond(List.of(), "6100000200"));
    }

    @Test
    void publishedIdsAreThoseOfTheFortyItems() {
        var items = fortyItems();
        assertEquals("df3f6198", items.getFirst().id().toHex().substring(0, 8));
        assertEquals(
                "b9098fe78517adc23218f8cd7d804f55c977fb22185a4d8e752ab7e82e5c1d89",
                items.getLast().id().toHex());
    }

    @Test
    void fortyItemsAreSplitIntoSixteenBuckets() {
        assertEquals(FIRST_OF_40, initiator(fortyItems()).first().toHex());
    }

    @Test
    void equalSetsNeedOneRound() {
        assertEquals("61", respond(fortyItems(), FIRST_OF_40));
        var initiator = initiator(fortyItems());
        initiator.first();
        assertEquals(new NegentropyStep.Complete(List.of(), List.of()), initiator.next(bytes("61")));
    }

    @Test
    void oneMissingItemIsFoundInOneRound() {
        var answer = respond(fortyItems().subList(0, 39), FIRST_OF_40);
        assertEquals("61877201b90000000201e882dd6a247f4ada1f700f1918bd23b7c730ad62af15f5cec8de976cbad09691", answer);

        var initiator = initiator(fortyItems());
        initiator.first();
        var missing = List.of(fortyItems().getLast().id());
        assertEquals(new NegentropyStep.Complete(missing, List.of()), initiator.next(bytes(answer)));
    }

    private static List<Item> fortyItems() {
        return IntStream.range(0, 40)
                .mapToObj(i -> new Item(
                        1000 + i / 4,
                        EventId.of(
                                NaivePeer.sha256(
                                        ByteBuffer.allocate(4).putInt(i).array()),
                                0)))
                .toList();
    }

    private static String fingerprintOf(List<Item> items) {
        var fingerprint = new Fingerprints(Item.seal(items)).of(0, items.size());
        return HexFormat.of().toHexDigits(fingerprint.high()) + HexFormat.of().toHexDigits(fingerprint.low());
    }

    private static NegentropyInitiator initiator(List<Item> items) {
        return new NegentropyInitiator(Item.seal(items), NegentropyLimits.DEFAULTS);
    }

    private static String respond(List<Item> items, String message) {
        return new NegentropyResponder(Item.seal(items), 0)
                .respond(bytes(message))
                .require()
                .toHex();
    }

    private static Bytes bytes(String hex) {
        return Bytes.parseHex(hex).require();
    }
}
