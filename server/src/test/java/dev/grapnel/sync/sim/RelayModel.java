package dev.grapnel.sync.sim;

import dev.grapnel.sync.world.RelayInformation;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// What a relay program is like: its limits, and in which words it refuses what is beyond them. Built up, then given to
/// a relay and not changed any more. [RelayModels] has those of real programs.
public final class RelayModel {
    /// No limit.
    static final int NONE = Integer.MAX_VALUE;

    /// How a REQ or NEG-OPEN is refused.
    public enum Way {
        /// By CLOSED or NEG-ERR.
        ANSWER,
        /// By NOTICE, which names no request.
        NOTICE
    }

    /// Who must authenticate.
    public enum Auth {
        /// Nobody, and nobody is asked.
        NEVER,
        /// Nobody, but everybody is asked.
        OFFERED,
        /// Whoever asks for events.
        FOR_REQUESTS,
        /// Everybody, and nobody is good enough.
        IN_VAIN
    }

    /// What becomes of NEG-OPEN.
    public sealed interface Negentropy {
        /// It is answered.
        record Spoken() implements Negentropy {}

        /// A NOTICE says this.
        record Notice(String text) implements Negentropy {}

        /// A NEG-ERR says this.
        record Refusal(String text) implements Negentropy {}

        /// Nothing.
        record Silence() implements Negentropy {}
    }

    final String name;
    int pageMax = 500;
    int pageDefault = 500;
    int subscriptionsMax = NONE;
    int sessionsMax = NONE;
    boolean isOneBudget;
    int filtersMax = NONE;
    int messageBytesMax = NONE;
    int openBytesMax = NONE;
    int conditionBytesMax = NONE;
    int queriesPerMinute = NONE;
    boolean countsNegMessages;
    int framesPerMinute = NONE;
    int negItemsMax = NONE;
    int negFrameBytes = 60_000;
    boolean takesLimitZero = true;
    boolean closesSatisfiedIds;
    int backlogMax = NONE;
    Auth auth = Auth.NEVER;
    Negentropy negentropy = new Negentropy.Spoken();
    Way way = Way.ANSWER;
    boolean replaces = true;
    boolean deletes = true;
    Duration reconnectMin = Duration.ZERO;
    Duration ban = Duration.ZERO;
    Duration thinking = Duration.ofMillis(2);
    Optional<Set<String>> grasps = Optional.empty();
    boolean discloses;
    OptionalInt declaredMessageMax = OptionalInt.empty();

    String tooManySubscriptions = "error: too many subscriptions";
    String tooManySessions = "error: too many NEG sessions";
    String tooManyFilters = "error: too many filters";
    String tooManyBytes = "error: too much";
    String tooManyValues = "error: item too large";
    String tooManyQueries = "rate-limited: slow down";
    String tooManyItems = "blocked: this query is too big";
    String limitZeroRefused = "invalid: limit must be positive";
    String authRequired = "auth-required: you must auth";
    String unknownSession = "closed: unknown subscription handle";
    String backlogTooLong = "error: live event buffer overflow";

    public RelayModel(String name) {
        this.name = name;
    }

    public RelayModel page(int most, int usual) {
        pageMax = most;
        pageDefault = usual;
        return this;
    }

    public RelayModel page(int most) {
        return page(most, most);
    }

    public RelayModel subscriptions(int most, String refusal) {
        subscriptionsMax = most;
        tooManySubscriptions = refusal;
        return this;
    }

    public RelayModel sessions(int most, String refusal) {
        sessionsMax = most;
        tooManySessions = refusal;
        return this;
    }

    /// Subscriptions and sessions count together.
    public RelayModel oneBudget() {
        isOneBudget = true;
        return this;
    }

    public RelayModel filters(int most, String refusal) {
        filtersMax = most;
        tooManyFilters = refusal;
        return this;
    }

    /// Longer messages end the connection.
    public RelayModel messageBytes(int most) {
        messageBytesMax = most;
        return this;
    }

    public RelayModel openBytes(int most, String refusal) {
        openBytesMax = most;
        tooManyBytes = refusal;
        return this;
    }

    /// So many bytes of values in one condition.
    public RelayModel conditionBytes(int most, String refusal) {
        conditionBytesMax = most;
        tooManyValues = refusal;
        return this;
    }

    public RelayModel queries(int perMinute, String refusal) {
        queriesPerMinute = perMinute;
        tooManyQueries = refusal;
        return this;
    }

    /// Every NEG-MSG is a query, too.
    public RelayModel countingNegMessages() {
        countsNegMessages = true;
        return this;
    }

    /// What is beyond is dropped in silence.
    public RelayModel frames(int perMinute) {
        framesPerMinute = perMinute;
        return this;
    }

    /// So many items of all sessions of a connection.
    public RelayModel negItems(int most, String refusal) {
        negItemsMax = most;
        tooManyItems = refusal;
        return this;
    }

    public RelayModel negFrame(int bytes) {
        negFrameBytes = bytes;
        return this;
    }

    public RelayModel refusingLimitZero(String refusal) {
        takesLimitZero = false;
        limitZeroRefused = refusal;
        return this;
    }

    /// CLOSED without a word after a request by ids that found everything.
    public RelayModel closingSatisfiedIds() {
        closesSatisfiedIds = true;
        return this;
    }

    /// A reader for whom so many messages wait loses all its live subscriptions.
    public RelayModel backlog(int most, String word) {
        backlogMax = most;
        backlogTooLong = word;
        return this;
    }

    /// What NEG-MSG is told that belongs to no session.
    public RelayModel unknownSession(String word) {
        unknownSession = word;
        return this;
    }

    public RelayModel auth(Auth who) {
        auth = who;
        return this;
    }

    public RelayModel negentropy(Negentropy how) {
        negentropy = how;
        return this;
    }

    public RelayModel refusingBy(Way how) {
        way = how;
        return this;
    }

    public RelayModel keeping(boolean replacesVersions, boolean respectsDeletions) {
        replaces = replacesVersions;
        deletes = respectsDeletions;
        return this;
    }

    /// Who comes back sooner finds the door closed for a while.
    public RelayModel banning(Duration soonest, Duration time) {
        reconnectMin = soonest;
        ban = time;
        return this;
    }

    /// How long an answer takes.
    public RelayModel thinking(Duration time) {
        thinking = time;
        return this;
    }

    public RelayModel grasp(String... names) {
        grasps = Optional.of(new TreeSet<>(Set.of(names)));
        return this;
    }

    /// Its limits are in its document.
    public RelayModel disclosing() {
        discloses = true;
        return this;
    }

    /// Its document names another length of messages than it takes.
    public RelayModel declaringMessages(int bytes) {
        declaredMessageMax = OptionalInt.of(bytes);
        return this;
    }

    /// Its document, if it has one.
    public Optional<RelayInformation> information() {
        if (!discloses && grasps.isEmpty() && declaredMessageMax.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new RelayInformation(
                declaredMessageMax.isPresent() ? declaredMessageMax : disclosed(messageBytesMax),
                disclosed(subscriptionsMax),
                disclosed(pageMax),
                disclosed(filtersMax),
                discloses && (auth == Auth.FOR_REQUESTS || auth == Auth.IN_VAIN),
                grasps));
    }

    private OptionalInt disclosed(int limit) {
        return discloses && limit != NONE ? OptionalInt.of(limit) : OptionalInt.empty();
    }
}
