package dev.grapnel.nostr.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.key.PublicKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HyperLogLogTest {
    private static final String ID = "5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36";

    @ParameterizedTest
    @CsvSource({
        "f7234bd4c1394dda46d09f35bd384dd30cc552ad5541990f98844fb06676e9ca, 173, 2",
        "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d, 126, 1",
        "0000000000000000000000000000000000000000000000000000000000000001, 0, 57"
    })
    void registersAreThoseOfTheVectors(String key, int register, int value) {
        var counter = counter("e", ID);
        counter.add(PublicKey.parse(key).require());
        var registers = counter.registers();

        assertEquals(256, registers.length());
        IntStream.range(0, 256).forEach(i -> assertEquals(i == register ? value : 0, registers.at(i), "register " + i));
    }

    /// The register number is the key's byte at the offset, so a key whose bytes are their own index tells the offset.
    @ParameterizedTest
    @CsvSource({
        "e, 5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36, 19",
        "t, nostr, 12",
        "a, 30617:5c83da77af1dec6d7289834998ad7aafbd9e2191396d75ec3cc27f5a77226f36:x:y, 19",
        "E, 00000000000000000000000000000000f0000000000000000000000000000000, 23",
        "E, 0000000000000000000000000000000000000000000000000000000000000000, 8"
    })
    void theOffsetDependsOnWhatIsCounted(String letter, String value, int offset) {
        var counter = counter(letter, value);
        var key = new byte[32];
        IntStream.range(0, 32).forEach(i -> key[i] = (byte) i);
        counter.add(PublicKey.of(key, 0));

        assertTrue(counter.registers().at(offset) > 0);
    }

    @Test
    void aRegisterKeepsItsMaximum() {
        var counter = counter("e", ID);
        var low = PublicKey.parse("0".repeat(38) + "07" + "ff".repeat(12)).require();
        var high = PublicKey.parse("0".repeat(38) + "07" + "00ff" + "ff".repeat(10))
                .require();
        counter.add(low);
        assertEquals(1, counter.registers().at(7));
        counter.add(high);
        assertEquals(9, counter.registers().at(7));
        counter.add(low);
        assertEquals(9, counter.registers().at(7));
    }

    @Test
    void otherFiltersHaveNoCounter() {
        var eligible = Filter.builder().kinds(7).tag('e', List.of(ID)).build();
        assertTrue(HyperLogLog.findFor(eligible).isPresent());
        var others = List.of(
                Filter.ALL,
                Filter.builder().kinds(7).build(),
                Filter.builder().tag('e', List.of(ID)).build(),
                Filter.builder().kinds(7, 8).tag('e', List.of(ID)).build(),
                Filter.builder().kinds(7).tag('e', List.of(ID, "0".repeat(64))).build(),
                Filter.builder().kinds(7).tag('e', List.of()).build(),
                eligible.toBuilder().tag('t', List.of("x")).build(),
                eligible.toBuilder().ids(List.of()).build(),
                eligible.toBuilder().authors(List.of()).build(),
                eligible.toBuilder().since(1).build(),
                eligible.toBuilder().until(1).build(),
                eligible.toBuilder().limit(1).build(),
                eligible.toBuilder().search("x").build());
        others.forEach(filter -> assertTrue(HyperLogLog.findFor(filter).isEmpty(), filter.toString()));
    }

    private static HyperLogLog counter(String letter, String value) {
        return HyperLogLog.findFor(Filter.builder()
                        .kinds(7)
                        .tag(letter.charAt(0), List.of(value))
                        .build())
                .orElseThrow();
    }
}
