package dev.grapnel.sync.health;

/// Now, on two clocks that never go back.
///
/// @param nanos the ordinary one
/// @param counted the same without the time for which we ourselves were cut off: that is held against nobody (R6.6)
record Moment(long nanos, long counted) {}
