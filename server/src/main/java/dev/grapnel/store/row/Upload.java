package dev.grapnel.store.row;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// One push to a proposal ref that waits for its event, or for a repository its event names (P-240, P-245).
///
/// @param repository where it was pushed to; at the contributor endpoint the submitter and the identifier of
///     the target
/// @param area where its objects are; refs of one push share it
/// @param receiving whether the pack is not yet complete and checked
/// @param pusher address of the client, empty if unknown; for limits only and never to be shown
public record Upload(RepositoryAddress repository, Endpoint endpoint, AreaName area, boolean receiving, String pusher) {
    /// Which door the push came through.
    public enum Endpoint implements Coded {
        /// `/<npub>/<identifier>.git`
        REPOSITORY(1),
        /// `/prs/<npub>/<identifier>.git`
        CONTRIBUTOR(2);

        private final int code;

        Endpoint(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /// @throws IllegalArgumentException if the pusher's address is no text
    public Upload {
        Checks.text("the pusher", pusher);
    }

    /// The same when the pack is complete and checked.
    public Upload confirmed() {
        return new Upload(repository, endpoint, area, false, pusher);
    }

    /// A copy of a list in which each area occurs once and at most one contributor endpoint (service 8.3.3).
    static List<Upload> checked(List<Upload> uploads) {
        var areas = new HashSet<AreaName>();
        for (var upload : uploads) {
            if (!areas.add(upload.area)) {
                throw new IllegalArgumentException("the staging area " + upload.area + " is named twice");
            }
        }
        if (uploads.stream()
                        .filter(Upload::isScoped)
                        .map(Upload::repository)
                        .distinct()
                        .count()
                > 1) {
            throw new IllegalArgumentException("pushed to more than one contributor endpoint");
        }
        return List.copyOf(uploads);
    }

    static Optional<RepositoryAddress> findScope(List<Upload> uploads) {
        return uploads.stream().filter(Upload::isScoped).map(Upload::repository).findFirst();
    }

    private boolean isScoped() {
        return endpoint == Endpoint.CONTRIBUTOR;
    }

    /// Without the pusher: rows end up in logs, addresses must not.
    @Override
    public String toString() {
        return "Upload[repository=" + repository + ", endpoint=" + endpoint + ", area=" + area + ", receiving="
                + receiving + "]";
    }
}
