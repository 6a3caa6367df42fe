package dev.grapnel.purgatory.hunt;

import dev.grapnel.nostr.url.Host;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// Which URL is asked next (purgatory 6.3): pure.
final class Selection {
    /// Most URLs of one event (P-623).
    static final int PER_EVENT = 20;

    /// Most URLs of one attempt.
    static final int PER_ATTEMPT = 50;

    private Selection() {}

    /// A URL and those it is relevant to (P-621).
    record Candidate(HuntUrl url, List<Need> needs) {
        Candidate {
            needs = List.copyOf(needs);
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

    /// All that may be asked in one attempt, in order.
    ///
    /// @param refused what section 8 forbids, and why
    record Candidates(List<Candidate> all, Map<String, UrlRules.Judgement.Unfit> refused) {}

    /// @param preferred asked first, if it is relevant at all
    static Candidates candidates(Pending pending, UrlRules rules, Optional<String> preferred) {
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
        var ordered = new ArrayList<Candidate>();
        preferred.ifPresent(first -> all.stream()
                .filter(candidate -> candidate.url().text().equals(first))
                .forEach(ordered::add));
        all.stream().filter(candidate -> !ordered.contains(candidate)).forEach(ordered::add);
        return new Candidates(List.copyOf(ordered.subList(0, Math.min(PER_ATTEMPT, ordered.size()))), refused);
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

    /// The domains to wait for (P-631). One whose permit became free a moment ago is among them: its queue is
    /// dispatched at once, while nobody else would come for it before the next attempt.
    static Set<Host> busy(List<Candidate> candidates, Set<String> tried, Function<HuntUrl, Availability> availability) {
        var domains = new LinkedHashSet<Host>();
        untried(candidates, tried)
                .filter(candidate -> switch (availability.apply(candidate.url())) {
                    case OPEN, THROTTLED, PAUSED -> true;
                    case NAUGHTY, RESTING, TAKEN -> false;
                })
                .forEach(candidate -> domains.add(candidate.domain()));
        return domains;
    }

    private static Stream<Candidate> untried(List<Candidate> candidates, Set<String> tried) {
        return candidates.stream()
                .filter(candidate -> !tried.contains(candidate.url().text()));
    }
}
