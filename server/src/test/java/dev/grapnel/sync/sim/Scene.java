package dev.grapnel.sync.sim;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/// Something that shows whether a core is right: a random world of so many seeds, or a small story. What is wrong is
/// thrown.
///
/// @param seeds how many there are at most
record Scene(String name, int seeds, LongConsumer run) {
    private static final Story QUIET =
            new Story(2, 2, 5, 2, 20, Duration.ofMinutes(20), Duration.ZERO, 0, Duration.ofMinutes(5));

    /// All of them, random worlds first.
    static final List<Scene> ALL = List.of(
            new Scene("quiet", 3, seed -> QUIET.run(seed, JoinedCore.usual())),
            new Scene("interruptions", 5, seed -> Interruptions.run(Interruptions.USUAL, seed, JoinedCore.usual())),
            new Scene("faults", 3, seed -> Story.SMALL.run(seed, JoinedCore.usual())),
            new Scene("stillness", 5, seed -> Stillness.run(seed, JoinedCore.usual(), _ -> true)),
            new Scene("isolation", 20, seed -> Isolation.run(seed, JoinedCore.usual(), _ -> true)),
            story("half-open", Scenes::halfOpen),
            story("interrupted-catch-up", Scenes::interruptedCatchUp),
            story("long-absence", Scenes::longAbsence),
            story("clock-set", Scenes::clockSet),
            story("live-first", Scenes::liveFirst),
            story("packing", Scenes::packing),
            story("exchanged-in-place", Scenes::exchangedInPlace),
            story("swept", Scenes::swept),
            story("closed-group", Scenes::closedGroup),
            story("closed-again", Scenes::closedAgain),
            story("busy-gap", Scenes::busyGap),
            story("complaint", SocialScenes::complaint),
            story("cut-in-history", Scenes::cutInHistory),
            story("asked-once", Scenes::askedOnce),
            story("steady-stream", Scenes::steadyStream),
            story("pages-of-1", Scenes::pagesOfOne),
            story("pages-of-19", Scenes::pagesOfNineteen),
            story("pages-of-20", Scenes::pagesOfTwenty),
            story("compared-hundreds", Scenes::comparedHundreds),
            story("late-ids", Scenes::lateIds),
            story("never-by-ids", Scenes::neverByIds),
            story("daily", Scenes::daily),
            story("thread", SocialScenes::thread),
            story("state-deleted", SocialScenes::stateDeleted),
            story("root-of-two", SocialScenes::rootOfTwo),
            story("state-before-acceptance", SocialScenes::stateBeforeAcceptance),
            story("acceptance-before-invitation", SocialScenes::acceptanceBeforeInvitation),
            story("announced-again", SocialScenes::announcedAgain),
            story("announced-at-relay", SocialScenes::announcedAtRelay),
            story("announced-at-plain-relay", SocialScenes::announcedAtPlainRelay),
            story("asked-of-two", Scenes::askedOfTwo),
            story("slots", SocialScenes::slots),
            story("slow-relay", SocialScenes::slowRelay),
            story("complaint-in-catch-up", SocialScenes::complaintInCatchUp),
            story("learned-limits", SocialScenes::learnedLimits),
            story("paced", SocialScenes::paced),
            story("outage", SocialScenes::outage),
            story("restart", SocialScenes::restart),
            story("removal", SocialScenes::removal),
            story("waiting-relay", SocialScenes::waitingRelay));

    private static Scene story(String name, Runnable run) {
        return new Scene(name, 1, _ -> run.run());
    }

    static Scene of(String name) {
        return ALL.stream()
                .filter(scene -> scene.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scene " + name));
    }

    boolean isRandom() {
        return seeds > 1;
    }

    @Override
    public String toString() {
        return name;
    }
}
