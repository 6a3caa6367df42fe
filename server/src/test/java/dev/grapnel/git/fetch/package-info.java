/// What clients get who fetch, compared with what git itself gives them.
@NullMarked
package dev.grapnel.git.fetch;

import org.jspecify.annotations.NullMarked;
