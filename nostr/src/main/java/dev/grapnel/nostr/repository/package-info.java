/// What NIP-34 and GRASP say with events: announcements, states, proposals, and who may speak for a
/// repository.
///
/// Start at [Announcement] and [RepositoryState], views of an event that are read and checked once; then
/// [Maintainers], the confirmed set over a pool of announcements (service 5.1). Every `parse` gives a value
/// or a reason in the words of the specification. Not here: what is stored or held, git objects, clocks and
/// policy. Everything is immutable, every decision a pure function.
@NullMarked
package dev.grapnel.nostr.repository;

import org.jspecify.annotations.NullMarked;
