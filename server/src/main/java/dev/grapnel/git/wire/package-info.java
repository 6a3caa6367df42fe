/// Pkt-lines (the framing of git's protocols) and the bands that share them.
///
/// Start at [PacketReader] and [PacketWriter]; [SideBand] writes bands, [BandReader] reads them. Lengths
/// come from strangers: whatever is no pkt-line is a [BrokenPacket] and nothing is allocated for it. Not
/// here: what lines mean.
@NullMarked
package dev.grapnel.git.wire;

import org.jspecify.annotations.NullMarked;
