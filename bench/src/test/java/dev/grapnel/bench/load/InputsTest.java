package dev.grapnel.bench.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.bench.load.wire.RelayUrl;
import dev.grapnel.bench.store.QueryShape;
import dev.grapnel.nostr.event.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InputsTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void targetsHaveNamesAndProcesses() {
        assertEquals(
                new Target("a", new RelayUrl("127.0.0.1", 7777, "/"), OptionalLong.of(12)),
                Target.parse("a=ws://127.0.0.1:7777,12"));
        assertEquals(
                new Target(
                        "relay.example.com:80", new RelayUrl("relay.example.com", 80, "/x?k=v"), OptionalLong.empty()),
                Target.parse("ws://relay.example.com/x?k=v"));
        assertThrows(IllegalArgumentException.class, () -> Target.parse("wss://relay.example.com"));
        assertThrows(IllegalArgumentException.class, () -> Target.parse("ws://relay.example.com,me"));
    }

    @Test
    void processesAreReadWhateverTheirNames() {
        var stat = "42 (a) b (c) S 1 1 1 0 -1 4194560 100 0 0 0 150 50 7 7 20 0 9 0 100 1000 200";
        var status = List.of("Name:\ta", "VmHWM:\t    2048 kB", "VmRSS:\t    1024 kB");
        assertEquals(new ProcessUsage(2, 1 << 20, 2 << 20), ProcessUsage.parse(stat, status));
    }

    @Test
    void idsAreFoundAgain() {
        var random = new SplittableRandom(7);
        var index = new IdIndex(1000);
        var words = random.longs(1000).toArray();
        for (int i = 0; i < words.length; i++) {
            assertTrue(index.put(words[i], i));
        }
        assertFalse(index.put(words[5], 2000));
        for (int i = 0; i < words.length; i++) {
            assertEquals(i, index.find(words[i]));
        }
        assertEquals(-1, index.find(random.nextLong()));
        assertEquals(-1, index.find(0));
    }

    @Test
    void eventsAreFoundInTheirFile() throws IOException, InterruptedException {
        var events = new ArrayList<Event>();
        var file = EventFile.open(write(events, 500));
        assertEquals(500, file.count());
        for (int i = 0; i < 500; i++) {
            assertEquals(events.get(i).id().a(), file.id(i));
            assertEquals(events.get(i).author().a(), file.author(i));
            assertArrayEquals(events.get(i).json().toArray(), file.json(i));
        }
        var bad = Files.writeString(directory.resolve("bad"), "{\"id\":\"x\"}\n");
        assertThrows(IOException.class, () -> EventFile.open(bad));
    }

    @Test
    void authorsStayOnOneConnectionAndConnectionsHaveAboutTheSame() throws IOException, InterruptedException {
        var file = EventFile.open(write(new ArrayList<>(), 2000));
        var shares = Shares.of(file, 100, 2000, 4);
        assertArrayEquals(
                IntStream.range(100, 2000).toArray(),
                Arrays.stream(shares).flatMapToInt(Arrays::stream).sorted().toArray());
        var ways = new HashMap<Long, Integer>();
        for (int way = 0; way < shares.length; way++) {
            for (int event : shares[way]) {
                assertEquals(way, Objects.requireNonNullElse(ways.putIfAbsent(file.author(event), way), way));
            }
            assertArrayEquals(Arrays.stream(shares[way]).sorted().toArray(), shares[way]);
            assertTrue(shares[way].length > 1900 / 4 / 2, "a share of " + shares[way].length);
        }
    }

    @Test
    void everyShapeFindsValuesInTheFile() throws IOException, InterruptedException {
        var questions = new Questions(EventFile.open(write(new ArrayList<>(), 3000)));
        for (var name : Questions.names()) {
            var filters = questions.of(Questions.find(name).orElseThrow(), 3);
            assertFalse(new String(filters.getFirst(), StandardCharsets.UTF_8).contains("[]"), name);
        }
        assertEquals(
                "{\"limit\":5000}",
                new String(questions.of(QueryShape.EVERYTHING, 1).getFirst(), StandardCharsets.UTF_8));
    }

    private Path write(List<Event> kept, int count) throws IOException, InterruptedException {
        var lines = new ArrayList<String>();
        new Community(5, count).forEach(Signatures.MADE_UP, event -> {
            kept.add(event);
            lines.add(new String(event.json().toArray(), StandardCharsets.UTF_8));
        });
        return Files.write(directory.resolve("events.jsonl"), lines);
    }
}
