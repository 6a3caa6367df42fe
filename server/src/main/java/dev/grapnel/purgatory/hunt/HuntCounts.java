package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.util.Map;

/// Numbers for metrics (purgatory 10.1).
///
/// @param queued `purgatory_sync_queue_size`
/// @param running `purgatory_sync_in_progress`
/// @param missing `purgatory_sync_oids_needed`
/// @param domains those with which something goes on
/// @param naughty `purgatory_naughty_domains`
public record HuntCounts(
        int queued, int running, long missing, Map<Host, DomainPicture> domains, Map<NaughtyCause, Long> naughty) {}
