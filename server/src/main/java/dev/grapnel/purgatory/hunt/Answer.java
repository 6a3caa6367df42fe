package dev.grapnel.purgatory.hunt;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// What a URL answered last.
///
/// @param result `ok` or the kind of failure
/// @param oids how many needed objects came
/// @param reason what went wrong, in our own words
/// @param until when it is asked again at the earliest, if it is left alone
public record Answer(
        String url, Instant at, String result, int oids, Optional<String> reason, Optional<Instant> until) {
    /// The same for people who can do something about it.
    public String words() {
        return meaning()
                + reason.filter(_ -> !result.equals("transient"))
                        .map(why -> " (" + why + ")")
                        .orElse("")
                + until.map(time -> "; left alone until " + time.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    private String meaning() {
        return switch (result) {
            case "ok" -> oids == 0 ? "does not have what is missing" : "gave " + oids + (oids == 1 ? " ref" : " refs");
            case "dns" -> "its name does not exist";
            case "tls" -> "cannot be talked to securely";
            case "refused" -> "is never connected to";
            case "slow_down" -> "asked to come back later";
            case "not_there" -> "does not have the repository, or does not give it to everybody";
            case "transient" -> reason.orElse("could not be reached, or failed");
            case "hostile" -> "sent what is not taken";
            case "cancelled" -> "was not asked to the end";
            case "busy_address" -> "has as many connections from here as it may have";
            default -> result;
        };
    }
}
