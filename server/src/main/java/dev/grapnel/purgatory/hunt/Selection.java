package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.url.Host;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which URL is asked next (purgatory 6.3): pure.
final class Selection {
    /// Most URLs of one event (P-623).
    static final int PER_EVENT = 20;

    /// Most URLs of one attempt: so many are asked, and so many others are waited for. What may not be asked now does
    /// not count, or strangers could fill it with what is never asked.
    static final int PER_ATTEMPT = 50;

    private Selection() {}

    /// A URL and those it is relevant to (P-621).
    ///
    /// @param authors who waits for it
    record Candidate(HuntUrl url, List<Need> needs, Set<PublicKey> authors) {
        Candidate(HuntUrl url, List<Need> needs) {
            this(url, List.copyOf(needs), needs.stream().map(Need::author).collect(Collectors.toUnmodifiableSet()));
        }

        Host domain() {
            return url.domain();
        }

        /// Whether somebody still has time: for others alone nothing is fetched (P-667).
        private boolean isWorthFetching() {
            return needs.stream()
                    .anyMatch(need -> !need.isOverdue() && !need.tips().isEmpty());
        }
    }

    /// All that may be asked.
    ///
    /// @param all in the order of publication
    /// @param refused what section 8 forbids, and why
    record Candidates(List<Candidate> all, Map<String, UrlRules.Judgement.Unfit> refused) {}

    static Candidates candidates(Pending pending, UrlRules rules) {
        var byUrl = new LinkedHashMap<HuntUrl, List<Need>>();
        var refused = new LinkedHashMap<String, UrlRules.Judgement.Unfit>();
        for (var need : pending.needs()) {
            for (var url : fit(need, rules, refused)) {
                byUrl.computeIfAbsent(url, _ -> new ArrayList<>()).add(need);
            }
        }
        var all = byUrl.entrySet().stream()
                .map(entry -> new Candidate(entry.getKey(), entry.getValue()))
                .filter(Candidate::isWorthFetching)
                .toList();
        return new Candidates(all, refused);
    }

    /// The order of asking: one URL of each author, then a second one of each, and so on. Whoever was served longest
    /// ago comes first; of one author's URLs those that were never asked, as published, then the one that was asked
    /// longest ago.
    ///
    /// @param candidates in the order of publication
    /// @param preferred asked first, if it is relevant at all
    /// @param served by author, a number that grows with each turn
    /// @param asked the same by URL; none for one that was never asked
    static List<Candidate> inTurn(
            List<Candidate> candidates,
            Optional<String> preferred,
            Map<PublicKey, Long> served,
            Map<String, Long> asked) {
        var byAuthor = new HashMap<PublicKey, ArrayDeque<Candidate>>();
        candidates.stream()
                .sorted(Comparator.comparingLong(
                        candidate -> asked.getOrDefault(candidate.url().text(), 0L)))
                .forEach(candidate -> candidate
                        .authors()
                        .forEach(author -> byAuthor.computeIfAbsent(author, _ -> new ArrayDeque<>())
                                .add(candidate)));
        var ordered = new LinkedHashMap<HuntUrl, Candidate>();
        candidates.stream()
                .filter(candidate ->
                        preferred.equals(Optional.of(candidate.url().text())))
                .forEach(candidate -> ordered.put(candidate.url(), candidate));
        var shares = byAuthor.entrySet().stream()
                .sorted(Comparator.<Map.Entry<PublicKey, ArrayDeque<Candidate>>>comparingLong(
                                share -> served.getOrDefault(share.getKey(), Long.MAX_VALUE))
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getValue)
                .collect(Collectors.toCollection(ArrayList::new));
        while (!shares.isEmpty()) {
            for (var own : shares) {
                boolean isAdded = false;
                while (!isAdded && !own.isEmpty()) {
                    var next = own.remove();
                    isAdded = ordered.putIfAbsent(next.url(), next) == null;
                }
            }
            shares.removeIf(ArrayDeque::isEmpty);
        }
        return List.copyOf(ordered.values());
    }

    private static Set<HuntUrl> fit(Need need, UrlRules rules, Map<String, UrlRules.Judgement.Unfit> refused) {
        var urls = new LinkedHashSet<HuntUrl>();
        for (var published : need.cloneUrls()) {
            if (urls.size() == PER_EVENT) {
                break;
            }
            switch (rules.judge(published)) {
                case UrlRules.Judgement.Fit(var url) -> urls.add(url);
                case UrlRules.Judgement.Unfit unfit -> refused.putIfAbsent(published, unfit);
            }
        }
        return urls;
    }

    /// The main path: the first that was not tried and may be asked now.
    static Optional<Candidate> next(
            List<Candidate> candidates, Set<String> tried, Function<HuntUrl, Availability> availability) {
        return untried(candidates, tried)
                .filter(candidate -> availability.apply(candidate.url()) == Availability.OPEN)
                .findFirst();
    }

    /// The domain path, which has its permit already.
    static Optional<Candidate> nextOf(
            Host domain, List<Candidate> candidates, Set<String> tried, Function<HuntUrl, Availability> availability) {
        return untried(candidates, tried)
                .filter(candidate -> candidate.domain().equals(domain))
                .filter(candidate -> switch (availability.apply(candidate.url())) {
                    case OPEN, THROTTLED -> true;
                    case PAUSED, NAUGHTY, RESTING, TAKEN -> false;
                })
                .findFirst();
    }

    /// Those to wait for (P-631). One whose permit became free a moment ago is among them: its queue is dispatched at
    /// once, while nobody else would come for it before the next attempt.
    static List<Candidate> busy(
            List<Candidate> candidates, Set<String> tried, Function<HuntUrl, Availability> availability) {
        return untried(candidates, tried)
                .filter(candidate -> switch (availability.apply(candidate.url())) {
                    case OPEN, THROTTLED, PAUSED -> true;
                    case NAUGHTY, RESTING, TAKEN -> false;
                })
                .limit(PER_ATTEMPT)
                .toList();
    }

    private static Stream<Candidate> untried(List<Candidate> candidates, Set<String> tried) {
        return candidates.stream()
                .filter(candidate -> !tried.contains(candidate.url().text()));
    }
}
