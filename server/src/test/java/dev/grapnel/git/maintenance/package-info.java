/// Maintenance against the real git: after every step it must find the repository sound and complete.
@NullMarked
package dev.grapnel.git.maintenance;

import org.jspecify.annotations.NullMarked;
