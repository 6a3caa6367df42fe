package dev.grapnel.git.push;

import java.net.InetAddress;

/// Who pushes, as far as that can be known.
///
/// @param address where from
/// @param isByTls whether by https: addresses that are told to such a client begin so
public record Pusher(InetAddress address, boolean isByTls) {}
