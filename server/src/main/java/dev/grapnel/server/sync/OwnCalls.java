package dev.grapnel.server.sync;

import dev.grapnel.outbound.RemoteUrl;
import dev.grapnel.outbound.http.Header;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/// Finds out which URLs lead back to this very process although no name of ours says so (sync R1.15): each handshake
/// that goes out carries a token of its own, and whoever listens here tells which tokens it sees.
///
/// A token is made for one URL and counts as long as that handshake goes on. A stranger who shows us the token it was
/// sent only says of its own URL that it is us, and is not asked again. May be used by any thread.
public final class OwnCalls {
    /// Carries the token.
    public static final String HEADER = "Grapnel-Call";

    private static final int TOKEN_BYTES = 16;

    /// URLs that are remembered; of more the oldest is found out anew when it is called.
    private static final int KNOWN_MAX = 10_000;

    private final RandomGenerator chance;
    private final Map<String, RemoteUrl> going = new ConcurrentHashMap<>();
    private final Set<RemoteUrl> known = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RemoteUrl, Boolean> eldest) {
            return size() > KNOWN_MAX;
        }
    }));

    /// @param chance nobody can foresee it
    public OwnCalls(RandomGenerator chance) {
        this.chance = chance;
    }

    /// Whether a URL was found to lead here.
    public boolean isOwn(RemoteUrl url) {
        return known.contains(url);
    }

    /// By whoever listens here: whether a handshake that came in is one of those that went out.
    public boolean recognise(String token) {
        var url = Optional.ofNullable(going.get(token));
        url.ifPresent(known::add);
        return url.isPresent();
    }

    /// A handshake that goes out.
    Call begin(RemoteUrl url) {
        var bytes = new byte[TOKEN_BYTES];
        chance.nextBytes(bytes);
        var call = new Call(HexFormat.of().formatHex(bytes));
        going.put(call.token, url);
        return call;
    }

    /// A handshake that goes on.
    final class Call implements AutoCloseable {
        private final String token;

        private Call(String token) {
            this.token = token;
        }

        Header header() {
            return new Header(HEADER, token);
        }

        @Override
        public void close() {
            going.remove(token);
        }
    }
}
