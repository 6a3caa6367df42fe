package dev.grapnel.server.git;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a request wants of a repository (service 2.5).
sealed interface GitAsk {
    /// The refs, before anything else.
    record Refs(Service service) implements GitAsk {}

    /// To use a service.
    record Call(Service service) implements GitAsk {}

    /// `info/refs` for a service that does not exist; what came before smart HTTP is not offered.
    record NoService() implements GitAsk {}

    /// Not by this method.
    ///
    /// @param allowed methods, as `Allow` lists them
    record WrongMethod(String allowed) implements GitAsk {}

    record Unknown() implements GitAsk {}

    /// What git does over HTTP.
    enum Service {
        UPLOAD("git-upload-pack"),
        RECEIVE("git-receive-pack");

        private final String word;

        Service(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }

        static Optional<Service> find(String word) {
            return Arrays.stream(values())
                    .filter(service -> service.word.equals(word))
                    .findFirst();
        }
    }

    /// Decides by method, by what stands behind the repository, and by the query.
    static GitAsk of(String method, List<String> subpath, @Nullable String query) {
        if (subpath.equals(List.of("info", "refs"))) {
            if (!method.equals("GET") && !method.equals("HEAD")) {
                return new WrongMethod("GET, HEAD, OPTIONS");
            }
            return parameter(query, "service")
                    .flatMap(Service::find)
                    .<GitAsk>map(Refs::new)
                    .orElseGet(NoService::new);
        }
        var service = subpath.size() == 1 ? Service.find(subpath.getFirst()) : Optional.<Service>empty();
        if (service.isEmpty()) {
            return new Unknown();
        }
        return method.equals("POST") ? new Call(service.get()) : new WrongMethod("POST, OPTIONS");
    }

    /// The first value of a parameter, wherever it stands.
    private static Optional<String> parameter(@Nullable String query, String name) {
        if (query == null) {
            return Optional.empty();
        }
        return Arrays.stream(query.split("&", -1))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> decode(pair.substring(name.length() + 1)))
                .findFirst();
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return ""; // a broken escape names no service
        }
    }

    /// The version of the protocol a client asks for; whatever cannot be understood means the first.
    static int version(@Nullable String header) {
        if (header == null || header.length() > 256) {
            return 0;
        }
        return Arrays.stream(header.split(":", -1))
                .map(String::trim)
                .mapToInt(word -> switch (word) {
                    case "version=2" -> 2;
                    case "version=1" -> 1;
                    default -> 0;
                })
                .max()
                .orElse(0);
    }
}
