package dev.grapnel.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Many connections with several subscriptions each, while others publish, come and go. In every round each
/// subscription that is open at the end must have got every event of its group once, and when all have left,
/// the server must be as it was before.
///
/// Events carry a group of their round; each subscription asks for one group.
final class LoadRun {
    private static final int SUBSCRIPTIONS = 5;
    private static final int PUBLISHERS = 4;
    private static final int WINDOW = 32;
    /// Rounds after which the heap has what it needs: code, caches and buffers.
    private static final int WARM_UP = 2;

    private static final long HEAP_SLACK = 24L << 20;
    private static final int THREAD_SLACK = 4;
    /// These are pooled, bounded, and end after a minute without work.
    private static final String POOLED = "http-";

    private static final int FILE_SLACK = 4;

    private final RelayUnderTest relay;
    private final int connections;
    private final int groups;
    private final Duration roundTime;
    private final SplittableRandom seeds;
    private final List<Figures> figures = new ArrayList<>();

    /// What a process has when nobody is connected.
    private record Figures(long heapBytes, int threads, long files) {
        static Figures now() {
            System.gc();
            var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Figures(
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                    (int) Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> !thread.getName().startsWith(POOLED))
                            .count(),
                    system.getOpenFileDescriptorCount());
        }

        @Override
        public String toString() {
            return (heapBytes >> 10) + " KiB of heap, " + threads + " threads, " + files + " open files";
        }
    }

    LoadRun(RelayUnderTest relay, int connections, Duration roundTime, long seed) {
        this.relay = relay;
        this.connections = connections;
        this.groups = Math.max(4, connections / 4);
        this.roundTime = roundTime;
        this.seeds = new SplittableRandom(seed);
    }

    /// Arguments: connections, seconds, seed.
    static void main(String... arguments) throws Exception {
        int connections = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        var directory = Files.createTempDirectory("grapnel-load");
        int rounds = Math.max(WARM_UP + 2, seconds / 12);
        try (var relay = RelayUnderTest.startIn(directory, "STORE_DURABILITY", "interval")) {
            new LoadRun(relay, connections, Duration.ofSeconds(seconds).dividedBy(rounds), seed)
                    .run(rounds, System.out);
        } finally {
            deleteAll(directory);
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// @throws AssertionError if anything is not as it must be
    void run(int rounds, PrintStream progress) throws Exception {
        figures.add(Figures.now());
        progress.println("before: " + figures.getFirst());
        for (int round = 1; round <= rounds; round++) {
            var done = new Round(round).run();
            Gauges.awaitNothing(relay);
            Gauges.await(relay, "grapnel_internal_errors_total", 0);
            Gauges.await(relay, "grapnel_uncaught_errors_total", 0);
            figures.add(Figures.now());
            progress.println("round " + round + ": " + done + "; then " + figures.getLast());
        }
        requireSame();
    }

    private void requireSame() {
        var warm = figures.get(Math.min(WARM_UP, figures.size() - 1));
        var last = figures.getLast();
        if (last.heapBytes() > warm.heapBytes() + HEAP_SLACK) {
            throw new AssertionError("the heap grows: " + figures);
        }
        if (last.files() > warm.files() + FILE_SLACK) {
            throw new AssertionError("files are left open: " + figures);
        }
        if (last.threads() > warm.threads() + THREAD_SLACK) {
            throw new AssertionError("threads are left: " + figures);
        }
    }

    /// Everybody comes, is busy for a while, is looked at, and leaves.
    private final class Round {
        private final int number;
        private final long end;
        private final Map<String, String> groupOf = new ConcurrentHashMap<>();
        private final AtomicLong churned = new AtomicLong();
        private final AtomicLong replaced = new AtomicLong();
        private final List<Client> clients = new ArrayList<>();

        Round(int number) {
            this.number = number;
            this.end = System.nanoTime() + roundTime.toNanos();
        }

        private boolean isOver() {
            return System.nanoTime() - end > 0;
        }

        private String group(int index) {
            return "r" + number + "g" + index;
        }

        private String anyGroup(SplittableRandom random) {
            return group(random.nextInt(groups));
        }

        /// Returns what was done, in words.
        String run() throws Exception {
            try {
                for (int i = 0; i < connections; i++) {
                    clients.add(new Client(seeds.split()));
                }
                var tasks = new ArrayList<Callable<Map<String, List<String>>>>();
                for (int i = 0; i < PUBLISHERS; i++) {
                    int author = i;
                    var random = seeds.split();
                    tasks.add(() -> publish(author, random));
                }
                for (int i = 0; i < Math.max(2, connections / 25); i++) {
                    var random = seeds.split();
                    tasks.add(() -> comeAndGo(random));
                }
                for (var client : clients) {
                    tasks.add(client::stay);
                }
                var accepted = new HashMap<String, List<String>>();
                for (var part : together(tasks)) {
                    part.forEach((group, ids) -> accepted.computeIfAbsent(group, _ -> new ArrayList<>())
                            .addAll(ids));
                }
                var last = publishLast();
                long deliveries = 0;
                for (var client : clients) {
                    deliveries += client.require(accepted, last);
                }
                return accepted.values().stream().mapToInt(List::size).sum() + " events, " + deliveries
                        + " deliveries, " + replaced + " subscriptions replaced or closed, " + churned
                        + " connections came and went";
            } finally {
                for (var client : clients) {
                    client.listener.close();
                }
            }
        }

        private Map<String, List<String>> publish(int author, SplittableRandom random) throws Exception {
            try (var listener = Listener.on(relay)) {
                int sent = 0;
                while (!isOver()) {
                    var group = anyGroup(random);
                    var event = event(author, List.of(List.of("t", group)), "n" + number + " " + sent);
                    groupOf.put(event.id().toString(), group);
                    listener.send("[\"EVENT\"," + event + "]");
                    sent++;
                    int least = sent - WINDOW;
                    listener.await("answers", () -> listener.answerCount() > least);
                }
                int all = sent;
                listener.await("all answers", () -> listener.answerCount() == all);
                if (listener.accepted().size() != all) {
                    throw new AssertionError("refused: " + listener.answers().values());
                }
                return listener.accepted().stream().collect(Collectors.groupingBy(groupOf::get));
            }
        }

        private Event event(int author, List<List<String>> tags, String content) {
            return StoreSamples.event(author, 1, Instant.now().getEpochSecond(), tags, content);
        }

        /// One that everybody gets, behind all others.
        private String publishLast() throws IOException {
            var tags = IntStream.range(0, groups)
                    .mapToObj(i -> List.of("t", group(i)))
                    .toList();
            try (var client = relay.connect()) {
                return client.publishOk(event(9, tags, "the last of round " + number))
                        .id()
                        .toString();
            }
        }

        /// Connections that end in all sorts of ways, in the middle of anything.
        private Map<String, List<String>> comeAndGo(SplittableRandom random) throws Exception {
            while (!isOver()) {
                try (var client = relay.connect()) {
                    for (int i = random.nextInt(SUBSCRIPTIONS + 1); i > 0; i--) {
                        client.send("[\"REQ\",\"c" + i + "\",{\"#t\":[\"" + anyGroup(random) + "\"]}]");
                    }
                    switch (random.nextInt(5)) {
                        case 0 -> client.wire().send(WireClient.CLOSE, (byte) 3, (byte) 0xe8);
                        case 1 -> client.wire().socket().setSoLinger(true, 0);
                        case 2 -> client.wire().write((byte) 0x81, (byte) 0xfe, (byte) 1); // half a frame
                        case 3 -> client.send("[\"COUNT\",\"c\",{}]");
                        default -> client.send("[\"CLOSE\",\"c1\"]");
                    }
                }
                churned.incrementAndGet();
            }
            return Map.of();
        }

        /// Stays the whole round; its last two subscriptions change all the time.
        private final class Client {
            private final Listener listener;
            private final SplittableRandom random;
            private final String[] asked = new String[SUBSCRIPTIONS];
            private final List<HashSet<String>> everAsked = new ArrayList<>();

            Client(SplittableRandom random) throws IOException {
                this.listener = Listener.on(relay);
                this.random = random;
                for (int i = 0; i < SUBSCRIPTIONS; i++) {
                    everAsked.add(new HashSet<>());
                    ask(i);
                }
            }

            private void ask(int index) throws IOException {
                var group = anyGroup(random);
                while (!everAsked.get(index).add(group)) {
                    group = anyGroup(random);
                }
                asked[index] = group;
                listener.send("[\"REQ\",\"s" + index + "\",{\"kinds\":[1],\"#t\":[\"" + group + "\"]}]");
            }

            private Map<String, List<String>> stay() throws Exception {
                while (!isOver() && everAsked.getLast().size() < groups) {
                    Thread.sleep(random.nextInt(20, 400)); // people do nothing most of the time
                    if (random.nextBoolean()) {
                        listener.send("[\"CLOSE\",\"s4\"]");
                        ask(4);
                    } else if (everAsked.get(3).size() < groups) {
                        ask(3);
                    }
                    replaced.incrementAndGet();
                }
                return Map.of();
            }

            /// Returns how many events it got.
            private long require(Map<String, List<String>> accepted, String last) throws Exception {
                long count = 0;
                for (int i = 0; i < SUBSCRIPTIONS; i++) {
                    var id = "s" + i;
                    var group = asked[i];
                    listener.await("the last event", () -> listener.events(id).contains(last));
                    var all = listener.events(id);
                    var got = all.stream()
                            .filter(event -> group.equals(groupOf.get(event)))
                            .toList();
                    var expected = accepted.getOrDefault(group, List.of());
                    if (got.size() != expected.size() || !new HashSet<>(got).equals(new HashSet<>(expected))) {
                        throw new AssertionError("round " + number + ", " + id + " for " + group + ": got " + got.size()
                                + " of which " + new HashSet<>(got).size() + " distinct, expected " + expected.size());
                    }
                    for (var event : all) {
                        if (!event.equals(last) && !everAsked.get(i).contains(groupOf.get(event))) {
                            throw new AssertionError(id + " got an event of a group it never asked for");
                        }
                    }
                    if (!listener.closed(id).isEmpty()) {
                        throw new AssertionError(id + " was closed: " + listener.closed(id));
                    }
                    count += all.size();
                }
                return count;
            }
        }
    }

    private static <T> List<T> together(List<Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var results = new ArrayList<T>();
            for (var future : threads.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        }
    }
}
