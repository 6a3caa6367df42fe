package dev.grapnel.sync.sim;

import dev.grapnel.outbound.RemoteUrl;

/// A connection that is over.
///
/// @param byNode whether the node itself ended it
record LinkRecord(String node, RemoteUrl relay, long opened, long ended, boolean byNode) {}
