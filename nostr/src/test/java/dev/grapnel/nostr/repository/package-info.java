@NullMarked
package dev.grapnel.nostr.repository;

import org.jspecify.annotations.NullMarked;
