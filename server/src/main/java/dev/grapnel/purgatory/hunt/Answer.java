package dev.grapnel.purgatory.hunt;

import java.time.Instant;

/// What a URL answered last.
///
/// @param result `ok` or the kind of failure
/// @param reason what exactly happened, in words of our own; empty if there is no more to say
/// @param oids how many needed objects came
/// @param notNow why it was not asked in the last attempt, in words of our own; empty if it was
public record Answer(String url, Instant at, String result, String reason, int oids, String notNow) {
    /// Nobody was asked, because the address is not fit for it.
    static final String REFUSED = "refused";

    /// Nobody was asked, because of what others' hunts found there before.
    static final String SPARED = "spared";

    Answer(String url, Instant at, String result, String reason, int oids) {
        this(url, at, result, reason, oids, "");
    }

    Answer notNow(String why) {
        return new Answer(url, at, result, reason, oids, why);
    }

    /// The same for people who can do something about it.
    public String words() {
        return switch (result) {
            case "ok" -> oids == 0 ? "does not have what is missing" : "gave " + oids + (oids == 1 ? " ref" : " refs");
            case "dns" -> "its name does not exist; left alone for hours";
            case "tls" -> "its certificate is not valid; left alone for hours";
            case REFUSED -> "is never connected to";
            case SPARED -> "was not asked";
            case "slow_down" -> "asked to come back later";
            case "not_there" -> "does not have the repository, or does not give it to everybody";
            case "transient" -> "could not be reached, or failed";
            case "hostile" -> "sent what is not taken; left alone for hours";
            case "cancelled" -> "was not asked to the end";
            case "area_full" ->
                "was not asked to the end: what was fetched for this repository filled its room, which was cleared of"
                        + " what nothing waits for";
            case "areas_full" ->
                "was not asked to the end: all that is fetched for waiting events has filled its room; it goes when"
                        + " those are served or expire (--hunt-area-total-bytes)";
            case "disk_full" -> "was not asked to the end: the disk is nearly full";
            case "busy_address" -> "has as many connections from here as it may have";
            default -> result;
        };
    }
}
