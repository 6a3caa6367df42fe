package dev.grapnel.nostr.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.nostr.event.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RepositoryStateTest {
    private static final List<String> D = List.of("d", "x");
    private static final String ONE = "1".repeat(40);
    private static final String TWO = "2".repeat(40);
    private static final Oid OID_ONE = Oid.parse(ONE).require();
    private static final Oid OID_TWO = Oid.parse(TWO).require();
    private static final RefName MAIN = new RefName("refs/heads/main");
    private static final RefName DEV = new RefName("refs/heads/dev");
    private static final RefName V1 = new RefName("refs/tags/v1");

    @Test
    void refsAndHeadAreRead() {
        var state = read(
                D,
                List.of("refs/tags/v1", TWO, "ignored"),
                List.of("refs/tags/v1^{}", "junk"),
                List.of("refs/heads/main", ONE),
                List.of("refs/heads/none"),
                List.of("refs/notes/commits", ONE),
                List.of("refs/heads/bad name"),
                List.of("HEAD", "ref: refs/heads/main"),
                List.of("HEAD", "ref: refs/heads/dev"));
        assertEquals(
                List.of(Map.entry(MAIN, OID_ONE), Map.entry(V1, OID_TWO)),
                List.copyOf(state.refs().entrySet()));
        assertEquals(Optional.of(MAIN), state.head());
        assertEquals(Set.of(), state.setAside());
        assertEquals(true, state.isSatisfiable());
        assertEquals(false, state.isEmpty());
        assertEquals(new Identifier("x"), state.identifier());
        assertEquals(People.keyOf("A"), state.author());
    }

    @ParameterizedTest
    @ValueSource(strings = {"refs/heads/", "refs/tags/a..b", "refs/heads/HEAD", "refs/heads/a b", "refs/heads/a^{}b"})
    void badNameIsRefused(String name) {
        assertEquals("bad ref name", reason(D, List.of("refs/heads/main", ONE), List.of(name, ONE)));
    }

    @Test
    void tooLongNameIsRefused() {
        assertEquals("bad ref name", reason(D, List.of("refs/heads/" + "a".repeat(490), ONE)));
    }

    @Test
    void refMayStandTwiceWithOneValueOnly() {
        assertEquals(
                1,
                read(D, List.of("refs/heads/main", ONE), List.of("refs/heads/main", ONE))
                        .refs()
                        .size());
        assertEquals(
                "conflicting values for refs/heads/main",
                reason(D, List.of("refs/heads/main", ONE), List.of("refs/heads/main", TWO)));
    }

    /// Only lower case is an object id; which of the two was meant is not for us to say.
    @Test
    void sameDigitsInOtherCaseAreAnotherValue() {
        var digits = "a".repeat(40);
        assertEquals(
                "conflicting values for refs/heads/main",
                reason(D, List.of("refs/heads/main", digits), List.of("refs/heads/main", "A".repeat(40))));
        assertEquals(
                "conflicting values for refs/heads/main",
                reason(D, List.of("refs/heads/main", "A".repeat(40)), List.of("refs/heads/main", digits)));
    }

    @ParameterizedTest
    @CsvSource({
        "refs/heads/a, refs/heads/a/b, true",
        "refs/heads/a/b/c, refs/heads/a, true",
        "refs/heads/a, refs/heads/a-b, false",
        "refs/heads/a, refs/tags/a/b, false",
        "refs/heads/a/b, refs/heads/a/c, false"
    })
    void nameMayNotBeADirectoryOfAnother(String one, String other, boolean conflict) {
        var tags = List.of(D, List.of(one, ONE), List.of("refs/heads/a-a", ONE), List.of(other, ONE));
        var expected = conflict ? Optional.of("conflicting ref names") : Optional.empty();
        assertEquals(expected, findReason(tags));
    }

    @Test
    void conflictsOfNamesAreThoseOfAllPairs() {
        int conflicts = 0;
        for (int seed = 0; seed < 200; seed++) {
            var random = new SplittableRandom(seed);
            var names = new ArrayList<String>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                names.add("refs/heads/" + path(random));
            }
            boolean conflict =
                    names.stream().anyMatch(one -> names.stream().anyMatch(other -> other.startsWith(one + "/")));
            var tags = new ArrayList<>(List.of(D));
            names.forEach(name -> tags.add(List.of(name, ONE)));
            assertEquals(conflict, findReason(tags).isPresent(), "seed " + seed + ": " + names);
            conflicts += conflict ? 1 : 0;
        }
        assertTrue(conflicts > 30 && conflicts < 170, conflicts + " of 200 conflict");
    }

    @Test
    void zeroObjectIdIsRefused() {
        assertEquals("zero object id for refs/heads/main", reason(D, List.of("refs/heads/main", "0".repeat(40))));
    }

    @Test
    void wrongKindAndMissingIdentifierAreRefused() {
        assertEquals("no d tag with an identifier", reason(List.of("refs/heads/main", ONE)));
        assertEquals("the identifier is . or ..", reason(List.of("d", "..")));
        var announcement = People.sign("A", Kinds.ANNOUNCEMENT, 10, List.of(D));
        assertEquals(
                Parsed.<RepositoryState>invalid("kind 30617 is not a repository state"),
                RepositoryState.parse(announcement));
    }

    @Test
    void symbolicRefIsSetAside() {
        var state = read(D, List.of("refs/heads/main", "ref: refs/heads/dev"), List.of("HEAD", "refs/heads/main"));
        assertEquals(Set.of(MAIN), state.setAside());
        assertEquals(true, state.isEmpty());
        assertEquals(true, state.isSatisfiable());
        assertEquals(false, state.declares(MAIN));
        assertEquals(Optional.empty(), state.head());
    }

    @Test
    void valueThatIsNoObjectIdIsKeptButCannotBeSatisfied() {
        var upperCase = "A".repeat(40);
        for (var value : List.of("abc123", "", "1".repeat(64), upperCase, "ref: main", "--upload-pack=x")) {
            var state = read(D, List.of("refs/heads/main", value), List.of("refs/heads/dev", ONE));
            assertEquals(Map.of(MAIN, value), state.unusable());
            assertEquals(Map.of(DEV, OID_ONE), state.refs());
            assertEquals(false, state.isSatisfiable());
            assertEquals(true, state.declares(MAIN));
        }
    }

    /// If it were empty it would govern, and take every branch away.
    @Test
    void stateThatCannotBeSatisfiedIsNotEmpty() {
        assertEquals(false, read(D, List.of("refs/heads/main", "abc123")).isEmpty());
        assertEquals(true, read(D).isEmpty());
        assertEquals(true, read(D, List.of("refs/tags/v1^{}", ONE)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({
        "ref: refs/heads/main, refs/heads/main",
        "refs/heads/main, refs/heads/main",
        "ref: refs/heads/dev, ''",
        "refs/tags/v1, ''",
        "ref:refs/heads/main, ''",
        "main, ''",
        "ref: refs/heads/a..b, ''",
        "refs/heads/HEAD, ''"
    })
    void headIsUsableOnlyIfItNamesADeclaredBranch(String value, String head) {
        var state = read(D, List.of("refs/heads/main", ONE), List.of("refs/tags/v1", TWO), List.of("HEAD", value));
        assertEquals(head, state.head().map(RefName::text).orElse(""));
    }

    @ParameterizedTest
    @CsvSource({
        "main dev master zoo, dev, dev",
        "main dev master zoo, none, master",
        "main dev zoo, none, main",
        "zoo dev, none, dev",
        "'', dev, main"
    })
    void defaultBranchIsTheOneClientsAssume(String branches, String head, String expected) {
        var tags = new ArrayList<>(List.of(D, List.of("HEAD", "refs/heads/" + head), List.of("refs/tags/a", ONE)));
        for (var branch : branches.split(" ", -1)) {
            if (!branch.isEmpty()) {
                tags.add(List.of("refs/heads/" + branch, ONE));
            }
        }
        assertEquals(
                "refs/heads/" + expected, parse(tags).require().defaultBranch().text());
    }

    @Test
    void largestStateIsRead() {
        var tags = new ArrayList<>(List.of(D));
        for (int i = 0; i < 25_000; i++) {
            tags.add(List.of("refs/tags/" + "d/".repeat(i % 20) + "v" + i, String.format(Locale.ROOT, "%040x", i + 1)));
        }
        assertEquals(25_000, parse(tags).require().refs().size());
    }

    private static String path(RandomGenerator random) {
        var path = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            path.append(List.of("a", "b", "a-", "a!").get(random.nextInt(4))).append(i > 0 ? "/" : "");
        }
        return path.toString();
    }

    @SafeVarargs
    private static RepositoryState read(List<String>... tags) {
        return parse(People.tags(tags)).require();
    }

    @SafeVarargs
    private static String reason(List<String>... tags) {
        return findReason(People.tags(tags)).orElseThrow();
    }

    private static Optional<String> findReason(List<List<String>> tags) {
        return switch (parse(tags)) {
            case Parsed.Valid<RepositoryState> _ -> Optional.empty();
            case Parsed.Invalid<RepositoryState>(var reason) -> Optional.of(reason);
        };
    }

    private static Parsed<RepositoryState> parse(List<List<String>> tags) {
        return RepositoryState.parse(People.sign("A", Kinds.STATE, 10, tags));
    }
}
