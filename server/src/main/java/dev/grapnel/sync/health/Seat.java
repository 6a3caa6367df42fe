package dev.grapnel.sync.health;

import java.util.Comparator;

/// A relay that is followed, or was and still has a link. Sorted by what can change: [SeatQueues#change] takes it out
/// of all queues meanwhile.
final class Seat {
    /// Where it stands.
    enum Stage {
        /// It may not be dialled yet.
        RESTING,
        /// It may be dialled when its turn comes.
        READY,
        /// It may, but as many URLs of its host are connected as may be.
        HELD,
        /// An attempt goes on.
        DIALLING,
        /// There is a link.
        UP,
        /// There is a link that we are ending.
        LEAVING
    }

    /// Who may be dialled first next.
    static final Comparator<Seat> DUE = Comparator.comparingLong(Seat::due).thenComparingLong(Seat::since);

    /// FIFO within priority (R4.4).
    static final Comparator<Seat> PRIORITY = Comparator.<Seat, Standing>comparing(
                    seat -> seat.candidate.standing(), Standing.FIRST)
            .thenComparingLong(Seat::readySince)
            .thenComparingLong(Seat::since);

    /// Who has not had a turn for longest (R8.9).
    static final Comparator<Seat> TURN = Comparator.comparingLong(Seat::turn).thenComparing(PRIORITY);

    /// Whose turn is over first.
    static final Comparator<Seat> STAY = Comparator.comparingLong(Seat::leaveAt).thenComparingLong(Seat::since);

    /// By standing, then by who came first.
    static final Comparator<Seat> RANK = Comparator.comparing(Seat::candidate, Candidate.RANK);

    private final RelayRecord record;
    private final Deadline away = new Deadline();
    private Candidate candidate;
    private Stage stage = Stage.RESTING;
    private boolean isFollowed = true;
    private boolean isPermanent = true;
    private boolean isNaughty;
    private boolean isSynced;
    private boolean isYielding;
    private boolean isUntried = true;
    private boolean isHurried;
    private long due;
    private long readySince;
    private long turn;
    private long openedAt;
    private long leaveAt;

    Seat(Candidate candidate, RelayRecord record) {
        this.candidate = candidate;
        this.record = record;
    }

    int relay() {
        return candidate.relay();
    }

    Candidate candidate() {
        return candidate;
    }

    RelayRecord record() {
        return record;
    }

    long since() {
        return candidate.since();
    }

    boolean outranks(Seat other) {
        return candidate.outranks(other.candidate);
    }

    boolean isBootstrap() {
        return candidate.standing().isBootstrap();
    }

    boolean isDoubtful() {
        return candidate.standing().isDoubtful();
    }

    /// Whether it is known by more than a name: there was a link, or the operator vouches for it.
    boolean isProven() {
        return isBootstrap() || candidate.standing().isConfigured() || record.wasUp();
    }

    /// Whether there is, or may soon be, a connection.
    boolean isInUse() {
        return switch (stage) {
            case RESTING, READY, HELD -> false;
            case DIALLING, UP, LEAVING -> true;
        };
    }

    /// Whether it has a place of those who take turns.
    boolean isVisiting() {
        return isInUse() && isFollowed && !isPermanent;
    }

    Stage stage() {
        return stage;
    }

    /// Whether it is still followed; otherwise it only waits for the end of its link.
    boolean isFollowed() {
        return isFollowed;
    }

    /// Whether it keeps its link; otherwise it takes turns with others.
    boolean isPermanent() {
        return isPermanent;
    }

    /// Whether it was seen to wait because of the naughty list.
    boolean isNaughty() {
        return isNaughty;
    }

    /// Whether what was to be fetched has come since the link was made.
    boolean isSynced() {
        return isSynced;
    }

    /// Whether it leaves so that another of its host or machine has a turn.
    boolean isYielding() {
        return isYielding;
    }

    /// Whether it is dialled even while we seem to be cut off (R6.6): the operator wants it, or it was never tried.
    /// What shows an outage may be dead names of others, and must not keep out whom a served repository names.
    boolean isUrgent() {
        return isHurried || (isUntried && !isDoubtful());
    }

    /// When it may be dialled, while it rests.
    long due() {
        return due;
    }

    /// Grows from one that becomes ready to the next.
    long readySince() {
        return readySince;
    }

    /// Grows from one end of a turn to the next; 0 if there was none.
    long turn() {
        return turn;
    }

    long openedAt() {
        return openedAt;
    }

    /// When its turn is over, while it visits.
    long leaveAt() {
        return leaveAt;
    }

    /// Nanoseconds until it may have its next turn; 0 for who needs none.
    long awayLeft(long now) {
        return isPermanent ? 0 : away.left(now);
    }

    // ---- changes, inside of SeatQueues.change

    void rejoin(Candidate again) {
        candidate = again;
        isFollowed = true;
    }

    void unfollow() {
        isFollowed = false;
    }

    void setPermanent(boolean to) {
        isPermanent = to;
    }

    void setNaughty(boolean to) {
        isNaughty = to;
    }

    void rest(long until) {
        stage = Stage.RESTING;
        due = until;
    }

    void ready(long number) {
        stage = Stage.READY;
        readySince = number;
    }

    void hold() {
        stage = Stage.HELD;
    }

    void hurry() {
        isHurried = true;
    }

    void dial() {
        isHurried = false;
        isUntried = false;
        stage = Stage.DIALLING;
    }

    void open(long now, long stayUntil) {
        stage = Stage.UP;
        isSynced = false;
        openedAt = now;
        leaveAt = stayUntil;
    }

    void synced(long stayUntil) {
        isSynced = true;
        leaveAt = Math.min(leaveAt, stayUntil);
    }

    void leave() {
        stage = Stage.LEAVING;
    }

    void giveWay(boolean isForTurn) {
        isYielding = isForTurn;
    }

    /// @param backAt when it may have the next turn
    void endTurn(long number, long backAt) {
        turn = number;
        isYielding = false;
        away.extend(backAt);
    }
}
