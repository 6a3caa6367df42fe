package dev.grapnel.outbound;

import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// Answers as told, and remembers who was asked for. Of several answers each is given once, the last for ever.
public final class ScriptedNames implements Names {
    private final Map<String, Deque<Lookup>> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /// One answer, with all these addresses. They know their name, as those of the system do: whoever asks them for it
    /// and looks it up again finds nothing.
    public ScriptedNames answer(String name, String... addresses) {
        return answer(
                name,
                new Lookup.Found(Stream.of(addresses)
                        .map(address -> named(name, InetAddress.ofLiteral(address)))
                        .toList()));
    }

    private static InetAddress named(String name, InetAddress address) {
        try {
            return InetAddress.getByAddress(name, address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// One answer.
    public ScriptedNames answer(String name, Lookup lookup) {
        answers.computeIfAbsent(name, _ -> new ArrayDeque<>()).add(lookup);
        return this;
    }

    /// Names that were looked up, in order.
    public List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public CompletableFuture<Lookup> lookUp(Host name) {
        asked.add(name.text());
        var script = answers.getOrDefault(name.text(), new ArrayDeque<>());
        var next = script.size() > 1 ? script.poll() : script.peek();
        return next == null
                ? CompletableFuture.completedFuture(new Lookup.NoSuchName())
                : CompletableFuture.completedFuture(next);
    }
}
