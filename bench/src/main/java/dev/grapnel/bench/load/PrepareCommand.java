package dev.grapnel.bench.load;

import dev.grapnel.bench.Community;
import dev.grapnel.bench.Signatures;
import dev.grapnel.nostr.event.Address;
import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Version;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/// `prepare`: signing takes longer than everything else, so it is done beforehand.
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description = "Writes signed events of a made-up community as lines of JSON, the same ones for the same seed.")
final class PrepareCommand implements Callable<Integer> {
    private static final int BUFFER = 1 << 20;

    @Option(names = "--events", required = true, description = "How many.")
    private int events;

    @Option(names = "--seed", defaultValue = "1", description = "Tells communities apart (default: 1).")
    private long seed = 1;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "Where to write.")
    private Path out = Path.of("");

    private final Map<Address, Version> newest = new HashMap<>();
    private int written;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var stream = new BufferedOutputStream(Files.newOutputStream(out), BUFFER)) {
            new Community(seed, events).forEach(Signatures.REAL, event -> write(event, stream));
        }
        System.out.printf(
                Locale.ROOT,
                "%,d events; %,d others came after a newer version, which every relay refuses%n",
                written,
                events - written);
        return ExitCode.OK;
    }

    private void write(Event event, OutputStream stream) {
        if (!isNewest(event)) {
            return;
        }
        try {
            event.json().stream().transferTo(stream);
            stream.write('\n');
            written++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isNewest(Event event) {
        return event.findAddress()
                .map(address ->
                        newest.merge(address, event.version(), (old, given) -> given.isNewerThan(old) ? given : old))
                .map(event.version()::equals)
                .orElse(true);
    }
}
