/// The names that dashboards ask for, and the text they get.
@NullMarked
package dev.grapnel.server.ops;

import org.jspecify.annotations.NullMarked;
