/// What the operator can ask a running server, and who else cannot.
@NullMarked
package dev.grapnel.server.control;

import org.jspecify.annotations.NullMarked;
