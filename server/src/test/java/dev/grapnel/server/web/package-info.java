/// Everything over real sockets, as strangers would speak.
@NullMarked
package dev.grapnel.server.web;

import org.jspecify.annotations.NullMarked;
