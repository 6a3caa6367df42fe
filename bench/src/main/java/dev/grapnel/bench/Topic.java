package dev.grapnel.bench;

import dev.grapnel.nostr.event.EventId;

/// An issue, patch or pull request: what the other events of a repository hang on.
final class Topic {
    private final Project project;
    private final Past opening;
    private Past last;
    private int answers;

    Topic(Project project, Past opening) {
        this.project = project;
        this.opening = opening;
        this.last = opening;
    }

    Project project() {
        return project;
    }

    /// The event that opened it, the root of its thread.
    Past opening() {
        return opening;
    }

    /// What was written last: the root, or a comment.
    Past last() {
        return last;
    }

    /// How many events answer it.
    int answers() {
        return answers;
    }

    EventId id() {
        return opening.id();
    }

    /// Somebody commented.
    void say(Past comment) {
        last = comment;
        answers++;
    }

    /// Something else was said about it, which nobody replies to.
    void note() {
        answers++;
    }
}
