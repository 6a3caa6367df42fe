package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.url.Host;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A repository elsewhere: what it has, how long it takes, how it fails.
final class ScriptedServer {
    final HuntUrl url;
    /// Refs and their values.
    final Map<RefName, Oid> refs = new LinkedHashMap<>();
    /// What it has although no ref says so.
    final Set<Oid> hidden = new HashSet<>();
    /// What it advertises and does not give.
    final Set<Oid> stale = new HashSet<>();
    /// What comes along with an object.
    final Map<Oid, Set<Oid>> behind = new HashMap<>();
    Duration advertiseTime = Duration.ZERO;
    Duration fetchTime = Duration.ZERO;
    boolean allowsUnadvertised = true;
    Optional<Failure> failure = Optional.empty();
    Optional<Failure> fetchFailure = Optional.empty();
    Optional<Host> redirect = Optional.empty();
    long bytesPerSecond = 1 << 20;
    boolean breaks;
    boolean hangs;
    /// Whether it does not say which id it refuses.
    boolean isVague;

    @Nullable
    InetAddress address;

    ScriptedServer(HuntUrl url) {
        this.url = url;
    }

    ScriptedServer has(Oid... oids) {
        for (var oid : oids) {
            refs.put(new RefName("refs/heads/has-" + oid.toString().substring(30)), oid);
        }
        return this;
    }

    ScriptedServer hides(Oid... oids) {
        hidden.addAll(Set.of(oids));
        return this;
    }

    ScriptedServer ref(String name, Oid oid) {
        refs.put(new RefName(name), oid);
        return this;
    }

    ScriptedServer takes(Duration time) {
        fetchTime = time;
        return this;
    }

    /// Gives what it has in an hour, and never so little at once that it would be a failure.
    ScriptedServer drips() {
        bytesPerSecond = 2048;
        return takes(Duration.ofHours(1));
    }

    ScriptedServer answersAfter(Duration time) {
        advertiseTime = time;
        return this;
    }

    ScriptedServer fails(Failure how) {
        failure = Optional.of(how);
        return this;
    }

    void works() {
        failure = Optional.empty();
        fetchFailure = Optional.empty();
    }

    boolean offers(Oid oid) {
        return (refs.containsValue(oid) || hidden.contains(oid)) && !stale.contains(oid);
    }

    Advertisement advertisement(Set<Oid> wanted, Set<RefName> names) {
        var advertised = new HashSet<>(refs.values());
        advertised.retainAll(wanted);
        var named = new HashMap<>(refs);
        named.keySet().retainAll(names);
        return new Advertisement(advertised, named, Integer.toString(refs.hashCode()), allowsUnadvertised);
    }
}
