package dev.grapnel.server.git;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Git's own `git http-backend`, on a port, over the repositories of a directory.
public final class StockHost implements AutoCloseable {
    private final Path root;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();
    private final boolean isVersion2;

    public StockHost(Path root) throws IOException {
        this(root, true);
    }

    /// @param isVersion2 whether it heeds who asks for version 2
    public StockHost(Path root, boolean isVersion2) throws IOException {
        this.root = root;
        this.isVersion2 = isVersion2;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /// Where a repository is cloned from.
    public String url(Path repository) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + root.relativize(repository);
    }

    /// How many it was asked.
    public int requests() {
        return requests.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        try (exchange) {
            var process = start(exchange);
            threads.execute(() -> feed(exchange, process));
            var out = new BufferedInputStream(process.getInputStream());
            int status = 200;
            for (var line = readLine(out); !line.isEmpty(); line = readLine(out)) {
                int colon = line.indexOf(':');
                if (line.startsWith("Status:")) {
                    status = Integer.parseInt(line.substring(colon + 1).strip().substring(0, 3));
                } else {
                    exchange.getResponseHeaders()
                            .add(
                                    line.substring(0, colon),
                                    line.substring(colon + 1).strip());
                }
            }
            exchange.sendResponseHeaders(status, 0);
            out.transferTo(exchange.getResponseBody());
        }
    }

    private Process start(HttpExchange exchange) throws IOException {
        var builder = new ProcessBuilder("git", "-c", "uploadpack.allowFilter=true", "http-backend");
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_PROJECT_ROOT", root.toString());
        environment.put("GIT_HTTP_EXPORT_ALL", "1");
        environment.put("REQUEST_METHOD", exchange.getRequestMethod());
        environment.put("PATH_INFO", exchange.getRequestURI().getPath());
        var query = exchange.getRequestURI().getQuery();
        environment.put("QUERY_STRING", query == null ? "" : query);
        header(exchange, "Content-Type", "CONTENT_TYPE", builder);
        header(exchange, "Content-Length", "CONTENT_LENGTH", builder);
        header(exchange, "Content-Encoding", "HTTP_CONTENT_ENCODING", builder);
        if (isVersion2) {
            header(exchange, "Git-Protocol", "GIT_PROTOCOL", builder);
        }
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static void header(HttpExchange exchange, String name, String variable, ProcessBuilder builder) {
        var value = exchange.getRequestHeaders().getFirst(name);
        if (value != null) {
            builder.environment().put(variable, value);
        }
    }

    private static void feed(HttpExchange exchange, Process process) {
        try (var in = process.getOutputStream()) {
            exchange.getRequestBody().transferTo(in);
        } catch (IOException _) {
            // it has read enough
        }
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return new String(line.toString().strip().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
