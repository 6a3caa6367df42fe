package dev.grapnel.git.repository;

import dev.grapnel.nostr.repository.RepositoryAddress;
import java.nio.file.Path;

/// A repository and where it lies.
public record RepositoryPlace(RepositoryAddress address, Path directory) {}
