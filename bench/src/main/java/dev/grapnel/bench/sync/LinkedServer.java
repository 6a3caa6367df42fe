package dev.grapnel.bench.sync;

import dev.grapnel.bench.git.Host;
import dev.grapnel.bench.load.wire.RelayUrl;
import dev.grapnel.bench.purgatory.Scene;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server in a process of its own that follows relays of this machine.
final class LinkedServer implements AutoCloseable {
    private static final List<String> FLAGS = List.of("--address-allow", "127.0.0.0/8");
    private static final double KIB = 1024;
    private static final double MEGA = 1e6;

    private final Host host;
    private final HttpClient http = HttpClient.newHttpClient();

    /// @param directory with its data
    /// @param flags further ones
    LinkedServer(Path directory, String... flags) throws IOException {
        var all = new ArrayList<>(FLAGS);
        all.addAll(List.of(flags));
        host = Host.grasp(directory, Scene.DOMAIN, all.toArray(String[]::new));
    }

    RelayUrl url() {
        return RelayUrl.parse("ws://" + host.uri("").getAuthority() + "/");
    }

    /// One of its figures, as operators read them; the sum if there are several with labels.
    double metric(String name) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(host.base() + "/metrics")).build();
        return http.send(request, BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    double cpuSeconds() throws IOException {
        return host.cpuSeconds();
    }

    /// Megabytes of memory that are nobody's file: heap, code, threads.
    double anonymousMegabytes() throws IOException {
        return status("RssAnon:");
    }

    /// Megabytes of files that are in its memory now.
    double mappedMegabytes() throws IOException {
        return status("RssFile:") + status("RssShmem:");
    }

    private double status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(host.process().pid()), "status")).stream()
                        .filter(line -> line.startsWith(name))
                        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                        .findFirst()
                        .orElseThrow()
                * KIB
                / MEGA;
    }

    /// Megabytes that the heap holds after a collection.
    double heapMegabytes() throws IOException, InterruptedException {
        tell("GC.run");
        var told = tell("GC.heap_info");
        double used = 0;
        for (var line : told.split("\n", -1)) {
            if (line.contains(" total ") && line.contains("used ")) { // DefNew and Tenured
                var number = line.substring(line.indexOf("used ") + 5).replaceAll("K.*", "");
                used += Double.parseDouble(number) * KIB / MEGA;
            }
        }
        return used;
    }

    private String tell(String command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(host.process().pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return said;
    }

    @Override
    public void close() {
        host.close();
    }
}
