package dev.grapnel.bench.git;

import dev.grapnel.config.BindAddress;
import dev.grapnel.server.web.HttpPort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Stock `git http-backend` behind the same port as ours, a process for each request: what Grapnel is compared with.
public final class BackendFront extends Handler.Abstract {
    private static final int BUFFER = 64 * 1024;

    private final Path root;
    private final boolean forces;

    private BackendFront(Path root, boolean forces) {
        this.root = root;
        this.forces = forces;
    }

    /// Serves bare repositories below a directory until it is ended.
    ///
    /// @param arguments the directory, and `force` if git shall force to disk all that it can
    public static void main(String[] arguments) throws Exception {
        var bind = new BindAddress(InetAddress.getLoopbackAddress(), 0);
        var port = new HttpPort(bind, HttpPort.Limits.DEFAULTS, System::nanoTime);
        port.open();
        port.serve(new BackendFront(Path.of(arguments[0]), List.of(arguments).contains("force")));
        System.out.println("listens on http://127.0.0.1:" + port.port() + "/");
        new CountDownLatch(1).await();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        var process = start(request);
        var sending = Thread.ofVirtual().start(() -> send(request, process));
        try (var out = Content.Sink.asOutputStream(response);
                var in = new BufferedInputStream(process.getInputStream(), BUFFER)) {
            readHead(in, response);
            in.transferTo(out);
        }
        sending.join();
        process.waitFor();
        callback.succeeded();
        return true;
    }

    private Process start(Request request) throws IOException {
        var builder = new ProcessBuilder("git", "http-backend").redirectError(ProcessBuilder.Redirect.DISCARD);
        var environment = builder.environment();
        environment.put("GIT_PROJECT_ROOT", root.toString());
        environment.put("GIT_HTTP_EXPORT_ALL", "1");
        environment.put("REQUEST_METHOD", request.getMethod());
        environment.put("PATH_INFO", request.getHttpURI().getDecodedPath());
        environment.put(
                "QUERY_STRING", Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""));
        environment.put(
                "CONTENT_TYPE", Objects.requireNonNullElse(request.getHeaders().get("Content-Type"), ""));
        if (forces) {
            environment.put("GIT_CONFIG_COUNT", "1");
            environment.put("GIT_CONFIG_KEY_0", "core.fsync");
            environment.put("GIT_CONFIG_VALUE_0", "all");
        }
        environment.put("REMOTE_USER", "bench");
        environment.put("REMOTE_ADDR", "127.0.0.1");
        var encoding = request.getHeaders().get("Content-Encoding");
        if (encoding != null) {
            environment.put("HTTP_CONTENT_ENCODING", encoding);
        }
        var protocol = request.getHeaders().get("Git-Protocol");
        if (protocol != null) {
            environment.put("GIT_PROTOCOL", protocol);
        }
        return builder.start();
    }

    private static void send(Request request, Process process) {
        try (var in = Content.Source.asInputStream(request);
                var out = process.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException _) {
            // it had read enough
        }
    }

    private static void readHead(InputStream in, Response response) throws IOException {
        for (var line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            int colon = line.indexOf(':');
            var name = line.substring(0, colon);
            var value = line.substring(colon + 1).strip();
            if (name.toLowerCase(Locale.ROOT).equals("status")) {
                response.setStatus(Integer.parseInt(value.substring(0, 3)));
            } else {
                response.getHeaders().put(name, value);
            }
        }
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return new String(line.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
