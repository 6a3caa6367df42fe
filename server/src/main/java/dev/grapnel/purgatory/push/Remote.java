package dev.grapnel.purgatory.push;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.nostr.url.PercentEncoding;

/// How whoever pushes reaches a repository.
///
/// @param url its clone URL
/// @param relayHint where its relay is, as clients write it inside a `nostr://` address
public record Remote(RepositoryAddress repository, String url, String relayHint) {
    /// The address of the remote that signs and publishes a state before it pushes.
    String nostrUrl() {
        return "nostr://" + new Npub(repository.owner()) + "/" + relayHint + "/"
                + PercentEncoding.encode(repository.identifier().text());
    }
}
