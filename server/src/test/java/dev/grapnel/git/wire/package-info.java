/// What travels between git clients and the server, packet by packet.
@NullMarked
package dev.grapnel.git.wire;

import org.jspecify.annotations.NullMarked;
