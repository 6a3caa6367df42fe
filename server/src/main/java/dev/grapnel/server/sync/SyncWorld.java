package dev.grapnel.server.sync;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.RelaySettings;
import dev.grapnel.config.ServiceDomain;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.nostr.key.SecretKey;
import dev.grapnel.nostr.message.RelayMessageReader;
import dev.grapnel.outbound.AddressRules;
import dev.grapnel.outbound.ConnectionSlots;
import dev.grapnel.outbound.Dialer;
import dev.grapnel.outbound.Gateway;
import dev.grapnel.outbound.Names;
import dev.grapnel.outbound.OwnAddresses;
import dev.grapnel.outbound.TimerAlarms;
import dev.grapnel.outbound.UrlShape;
import dev.grapnel.outbound.http.Client;
import dev.grapnel.outbound.websocket.WebSocketClient;
import dev.grapnel.purgatory.pool.Pools;
import dev.grapnel.server.ops.Build;
import dev.grapnel.server.relay.RelayConfig;
import dev.grapnel.store.EventStore;
import dev.grapnel.sync.health.MachinePlaces;
import dev.grapnel.sync.home.PoolsView;
import dev.grapnel.sync.home.ServedMeaning;
import dev.grapnel.sync.home.StoreFacts;
import dev.grapnel.websocket.Inflation;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;

/// What sync is given of the running server: a list of parts, in the order in which they depend on each other. The gate
/// is not among them; it is made from the admission.
public final class SyncWorld implements AutoCloseable {
    private static final long INBOUND_MAX = 256L << 20;
    private static final String DIRECTORY = "sync";

    /// What of the machine and the server it is made of.
    ///
    /// @param names looks names up; whoever made it closes it, after this world
    /// @param tls whom to trust
    /// @param calls by which whoever listens here recognises our own handshakes
    /// @param operator the key challenges are answered with
    /// @param heapBytes memory this process may use
    /// @param cores processors
    public record Surroundings(
            Names names,
            SSLContext tls,
            OwnCalls calls,
            SecretKey operator,
            RandomGenerator chance,
            InstantSource clock,
            LongSupplier nanoTime,
            long heapBytes,
            int cores) {}

    private final SyncThread loop;
    private final TimerAlarms alarms = new TimerAlarms();
    private final OwnAddresses own;
    private final AddressRules rules;
    private final InboundBudget inbound;
    private final RelaySockets transport;
    private final RelayDocuments documents;
    private final StoreArchive archive;
    private final PoolsView purgatory;
    private final SyncFiles files;
    private final OperatorSigner signer;

    /// Makes all parts; the loop runs from then on and has nothing to do.
    ///
    /// @throws IOException if the directory of sync cannot be made
    public SyncWorld(
            Configuration settings,
            ServiceDomain domain,
            Build build,
            EventStore store,
            Pools pools,
            Surroundings surroundings,
            SyncThread.Watcher watcher)
            throws IOException {
        var directory = directory(settings); // first: it is all that can fail
        this.loop = SyncThread.start(surroundings.clock(), surroundings.nanoTime(), watcher);
        this.own = OwnAddresses.of(domain.address(), settings.require(PurgatorySettings.OWN_DOMAINS));
        this.rules = AddressRules.of(
                settings.require(PurgatorySettings.ADDRESS_ALLOW),
                settings.require(PurgatorySettings.SYNC_ALLOW_NON_GLOBAL_TARGETS),
                domain);
        var ways = new Ways(
                settings,
                surroundings,
                Client.userAgent(build.version(), domain.address().toString()));
        this.inbound = new InboundBudget(
                Math.min(INBOUND_MAX, surroundings.heapBytes() / 8),
                Math.toIntExact(settings.require(RelaySettings.MAX_MESSAGE_LENGTH)),
                surroundings.nanoTime());
        this.transport = transport(ways, settings, surroundings, inbound);
        this.documents = new RelayDocuments(
                ways.client(rules, MachinePlaces.LINKS_MAX), ways.client(AddressRules.none(), Integer.MAX_VALUE), loop);
        var meaning = new ServedMeaning(own);
        var facts = new StoreFacts(store, pools, !settings.require(ServiceSettings.DELETION_REQUEST_DISRESPECTOR));
        this.archive = new StoreArchive(store, facts, meaning, loop);
        this.purgatory = new PoolsView(store, pools, meaning, loop);
        this.files = new SyncFiles(directory, loop);
        this.signer = new OperatorSigner(surroundings.operator(), surroundings.clock(), surroundings.chance());
    }

    private RelaySockets transport(
            Ways ways, Configuration settings, Surroundings surroundings, InboundBudget inbound) {
        var relay = RelayConfig.of(settings, surroundings.heapBytes());
        var inflation = new Inflation(surroundings.cores() * 2);
        return new RelaySockets(
                ways.sockets(rules, MachinePlaces.LINKS_MAX, inflation),
                ways.sockets(AddressRules.none(), Integer.MAX_VALUE, inflation),
                loop,
                surroundings.calls(),
                new RelayMessageReader(relay.messages()),
                new RelaySockets.Limits(
                        Math.toIntExact(settings.require(RelaySettings.MAX_MESSAGE_LENGTH)),
                        Flow.Limits.DEFAULTS,
                        Outgoing.Limits.DEFAULTS),
                inbound,
                alarms);
    }

    /// How others are reached, by rules for addresses and with so many connections to one machine.
    private final class Ways {
        private final Configuration settings;
        private final Surroundings surroundings;
        private final String userAgent;

        Ways(Configuration settings, Surroundings surroundings, String userAgent) {
            this.settings = settings;
            this.surroundings = surroundings;
            this.userAgent = userAgent;
        }

        private Dialer dialer(AddressRules addresses, int perAddressMax) {
            var gateway =
                    new Gateway(addresses, own, surroundings.names(), settings.find(PurgatorySettings.ONION_PROXY));
            return new Dialer(
                    gateway,
                    surroundings.names(),
                    new ConnectionSlots(() -> perAddressMax, () -> {}), // who waits asks again itself
                    surroundings.tls(),
                    alarms,
                    surroundings.nanoTime());
        }

        WebSocketClient sockets(AddressRules addresses, int perAddressMax, Inflation inflation) {
            return new WebSocketClient(dialer(addresses, perAddressMax), userAgent, inflation, surroundings.chance());
        }

        Client client(AddressRules addresses, int perAddressMax) {
            return new Client(dialer(addresses, perAddressMax), UrlShape.relay(), userAgent, 0);
        }
    }

    private static Optional<Path> directory(Configuration settings) throws IOException {
        return switch (settings.require(ServiceSettings.DATABASE_BACKEND)) {
            case MEMORY -> Optional.empty();
            case LMDB ->
                Optional.of(makeDirectory(
                        settings.require(ServiceSettings.RELAY_DATA_PATH).resolve(DIRECTORY)));
        };
    }

    /// Makes a directory for what sync keeps, unless it is there.
    ///
    /// @throws IOException with a sentence for the operator
    public static Path makeDirectory(Path directory) throws IOException {
        try {
            return Files.createDirectories(directory);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    "sync keeps what it knows of relays in the directory " + directory
                            + ", but that is a file; move it away and start again",
                    e);
        } catch (IOException e) {
            throw new IOException(
                    "sync keeps what it knows of relays in the directory " + directory
                            + ", which cannot be made; see to it that this user may write there: " + e,
                    e);
        }
    }

    public SyncThread loop() {
        return loop;
    }

    /// Where this service itself is found.
    public OwnAddresses own() {
        return own;
    }

    /// By which names can be judged before anybody is dialled.
    public AddressRules rules() {
        return rules;
    }

    /// Memory of what relays have sent and nobody has decided about (R4.26).
    public long inboundBytes() {
        return inbound.used();
    }

    public RelaySockets transport() {
        return transport;
    }

    public RelayDocuments documents() {
        return documents;
    }

    public StoreArchive archive() {
        return archive;
    }

    /// To be told of what the store's writer changes.
    public PoolsView purgatory() {
        return purgatory;
    }

    public SyncFiles files() {
        return files;
    }

    public OperatorSigner signer() {
        return signer;
    }

    /// Ends everything, after sync itself has stopped and before the store is closed.
    @Override
    public void close() {
        transport.close();
        documents.close();
        archive.close();
        files.close();
        loop.close();
        alarms.close();
    }
}
