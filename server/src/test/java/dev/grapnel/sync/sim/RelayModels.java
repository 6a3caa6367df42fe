package dev.grapnel.sync.sim;

import dev.grapnel.sync.sim.RelayModel.Auth;
import dev.grapnel.sync.sim.RelayModel.Negentropy;
import dev.grapnel.sync.sim.RelayModel.Way;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// Relays as they are (sync 10.2), each with its limits and its own words.
public final class RelayModels {
    /// Page caps that paging must cope with.
    static final List<Integer> PAGES = List.of(1, 19, 20, 74, 75, 500);

    /// What relays without NIP-77 say to NEG-OPEN.
    static final List<Negentropy> WITHOUT_NEGENTROPY = List.of(
            new Negentropy.Notice("ERROR: bad msg: negentropy disabled"),
            new Negentropy.Notice("ERROR: bad msg: unknown cmd"),
            new Negentropy.Notice("unknown envelope label NEG-OPEN"),
            new Negentropy.Notice("could not parse command"),
            new Negentropy.Notice("invalid: unrecognized message type"),
            new Negentropy.Notice("failed to parse envelope: unknown envelope label"),
            new Negentropy.Refusal("blocked: negentropy is not supported"),
            new Negentropy.Refusal("unsupported: NIP-77 is not enabled"),
            new Negentropy.Silence());

    private RelayModels() {}

    /// Does everything right and has no limits but its page.
    public static RelayModel honest(int page) {
        return new RelayModel("honest-" + page).page(page);
    }

    /// The same without NIP-77.
    public static RelayModel plain(int page) {
        return honest(page).negentropy(WITHOUT_NEGENTROPY.get(2));
    }

    /// The existing server, version 3.x.
    public static RelayModel existing() {
        return existing("existing", 5 << 20, 1_200);
    }

    /// An older one.
    public static RelayModel existingOlder() {
        return existing("existing-older", 1 << 20, 120).countingNegMessages();
    }

    private static RelayModel existing(String name, int openBytes, int queries) {
        return new RelayModel(name)
                .page(500)
                .subscriptions(500, "rate-limited: too many REQs")
                .filters(20, "rate-limited: too many filters")
                .openBytes(openBytes, "rate-limited: active subscriptions exceed max size " + openBytes + " bytes")
                .queries(queries, "rate-limited: too many queries")
                .frames(6_000)
                .sessions(10, "rate-limited: too many negentropy subscriptions")
                .negItems(50_000, "rate-limited: too many negentropy items")
                .messageBytes(5 << 20)
                .closingSatisfiedIds()
                .backlog(1_024, "error: live event buffer overflow; resubscribe to recover stored events")
                .unknownSession("error: subscription not found");
    }

    /// strfry, whose operator allows twenty subscriptions.
    public static RelayModel strfry() {
        return new RelayModel("strfry")
                .page(500)
                .subscriptions(20, "ERROR: too many concurrent REQs")
                .sessions(20, "ERROR: too many concurrent NEG requests")
                .oneBudget()
                .refusingBy(Way.NOTICE)
                .filters(200, "ERROR: bad req: arr too big")
                .conditionBytes(65_535, "ERROR: bad req: error parsing filter: total filter items too large")
                .messageBytes(131_072)
                .negItems(1_000_000, "blocked: too many query results")
                .negFrame(500_000);
    }

    /// Ten subscriptions, ten filters.
    public static RelayModel small() {
        return new RelayModel("small")
                .page(500)
                .subscriptions(10, "error: max concurrent subscription count reached")
                .filters(10, "error: number of filters exceeds maximum of 10")
                .negentropy(WITHOUT_NEGENTROPY.get(3));
    }

    /// A hundred results when nobody says how many.
    public static RelayModel hundred() {
        return new RelayModel("hundred").page(1_000, 100).negentropy(WITHOUT_NEGENTROPY.get(1));
    }

    /// Takes no `limit: 0`.
    public static RelayModel withoutLimitZero() {
        return new RelayModel("no-limit-zero")
                .page(500)
                .refusingLimitZero("invalid: limit must be a positive number")
                .negentropy(WITHOUT_NEGENTROPY.get(4));
    }

    /// Three filters.
    public static RelayModel threeFilters() {
        return new RelayModel("three-filters")
                .page(500)
                .filters(3, "ERROR: bad req: filter validation failed: invalid number of filters: {n}")
                .negentropy(WITHOUT_NEGENTROPY.get(0));
    }

    /// Many subscriptions, but whoever comes back too soon is kept out.
    public static RelayModel banning() {
        return new RelayModel("banning")
                .page(500)
                .subscriptions(128, "error: too many subscriptions")
                .banning(Duration.ofSeconds(2), Duration.ofMinutes(10))
                .negentropy(WITHOUT_NEGENTROPY.get(7));
    }

    /// Wants to know who asks.
    public static RelayModel authenticating() {
        return honest(500).auth(Auth.FOR_REQUESTS);
    }

    /// Says that messages may be long and hangs up on them (test 154).
    public static RelayModel boasting() {
        return honest(500).messageBytes(131_072).declaringMessages(1_000_000);
    }

    /// A Grapnel server as a relay.
    public static RelayModel grapnel() {
        return new RelayModel("grapnel")
                .page(5_000)
                .subscriptions(300, "rate-limited: too many subscriptions")
                .sessions(20, "rate-limited: too many negentropy sessions")
                .filters(200, "invalid: too many filters")
                .messageBytes(5 << 20)
                .negItems(1_000_000, "blocked: this query is too big")
                .negFrame(500_000)
                .unknownSession("closed: unknown session")
                .grasp("GRASP-01", "GRASP-02")
                .disclosing();
    }

    /// Asks everybody who they are, and needs to know it of nobody.
    public static RelayModel curious() {
        return honest(500).auth(Auth.OFFERED);
    }

    /// Does not answer NEG-OPEN at all.
    public static RelayModel speechless() {
        return honest(74).negentropy(new Negentropy.Silence());
    }

    /// Keeps everything that it was ever given.
    public static RelayModel hoarding() {
        return honest(75).keeping(false, false);
    }

    /// One for a liar: what a relay is like does not depend on what it does wrong.
    static RelayModel ofLiar(RandomGenerator random) {
        var model = honest(PAGES.get(random.nextInt(PAGES.size())));
        switch (random.nextInt(6)) {
            case 0 -> model.negentropy(WITHOUT_NEGENTROPY.get(random.nextInt(WITHOUT_NEGENTROPY.size())));
            case 1 -> model.auth(random.nextBoolean() ? Auth.FOR_REQUESTS : Auth.OFFERED);
            case 2 -> model.subscriptions(10, "error: max concurrent subscription count reached");
            default -> {
                // no limits but the page
            }
        }
        return model;
    }

    /// One that serves everybody.
    static RelayModel giving(RandomGenerator random) {
        var model = random(random);
        return model.auth == Auth.IN_VAIN ? giving(random) : model;
    }

    /// All of them, some with their limits in their documents.
    static RelayModel random(RandomGenerator random) {
        var model = switch (random.nextInt(21)) {
            case 0, 1 -> existing();
            case 2 -> existingOlder();
            case 3, 4 -> strfry();
            case 5 -> small();
            case 6 -> hundred();
            case 7 -> withoutLimitZero();
            case 8 -> threeFilters();
            case 9 -> banning();
            case 10 -> authenticating();
            case 11 -> plain(PAGES.get(random.nextInt(PAGES.size())));
            case 12 -> boasting();
            case 13 -> grapnel();
            case 14 -> curious();
            case 15 -> honest(500).auth(Auth.IN_VAIN);
            case 16 -> speechless();
            case 17 -> hoarding();
            default -> honest(PAGES.get(random.nextInt(PAGES.size())));
        };
        return random.nextBoolean() ? model.disclosing() : model;
    }
}
