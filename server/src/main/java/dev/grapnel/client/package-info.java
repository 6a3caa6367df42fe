/// The maintainer's side: publishes announcement and state of a repository on the user's own disk.
///
/// Start at [RepositoryPublishing]. [RepositoryDrafts] says what the events hold, [LocalRepository] asks the
/// user's own git, [RelayConnection] speaks to the server. Not here: pushing, which git does, and anything of the
/// server: to it this is a client like any other.
@NullMarked
package dev.grapnel.client;

import org.jspecify.annotations.NullMarked;
