package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.nostr.repository.Identifier;
import dev.grapnel.nostr.repository.Oid;
import dev.grapnel.nostr.repository.RefName;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.server.web.RepositoryPortrait.Awaited;
import dev.grapnel.server.web.RepositoryPortrait.Content;
import dev.grapnel.server.web.RepositoryPortrait.Person;
import dev.grapnel.server.web.RepositoryPortrait.Phase;
import dev.grapnel.server.web.RepositoryPortrait.Ref;
import dev.grapnel.server.web.RepositoryPortrait.Role;
import dev.grapnel.server.web.RepositoryPortrait.SignedState;
import dev.grapnel.store.StoreSamples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a page makes of what is known.
final class RepositoryPagesTest {
    private static final RepositoryAddress HERE =
            new RepositoryAddress(StoreSamples.author(1), new Identifier("x'$(rm -rf)<b>"));
    private static final Oid COMMIT = Oid.parse("12".repeat(20)).require();
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");

    private static String page(RepositoryPortrait portrait) {
        var configuration = Site.configuration(Map.of());
        return new RepositoryPages(Site.identity(configuration), "/")
                .page(HERE, portrait, true)
                .html();
    }

    private static RepositoryPortrait portrait(
            Phase phase, Content content, List<Person> people, Optional<SignedState> governing, Awaited... awaited) {
        return new RepositoryPortrait(
                Optional.of("<script>alert(1)</script>"),
                phase,
                content,
                people,
                false,
                Optional.empty(),
                governing,
                List.of(awaited));
    }

    private static RepositoryPortrait served(Content content, Person... people) {
        return portrait(Phase.SERVED, content, List.of(people), Optional.empty());
    }

    private static Content content(int shown, int count, String... names) {
        var refs = List.of(names).stream()
                .map(name -> new Ref(new RefName(name), COMMIT))
                .limit(shown)
                .toList();
        return new Content(Optional.of(new RefName("refs/heads/main")), refs, count, List.of(), 0);
    }

    @Test
    void strangersWordsStayWords() {
        var page = page(served(content(1, 1, "refs/heads/<img")));
        assertFalse(page.contains("<script"), page);
        assertFalse(page.contains("<img alt"), page);
        assertFalse(page.contains("<b>"), page);
        assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), page);
        assertTrue(page.contains("&lt;img"), page);
    }

    @Test
    void refsAreListedWithTheDefaultBranchAndTheNumberLeftOut() {
        var page = page(served(content(2, 7, "refs/heads/dev", "refs/heads/main")));
        assertTrue(page.contains("<dt>dev</dt><dd><code>121212121212</code></dd>"), page);
        assertTrue(page.contains("<dt>main (default)</dt>"), page);
        assertTrue(page.contains("and 5 more"), page);
    }

    @Test
    void everyRoleSaysWhatIsMissing() {
        var page = page(served(
                Content.NONE,
                new Person(StoreSamples.author(1), new Role.Member(true)),
                new Person(StoreSamples.author(2), new Role.Invited(StoreSamples.author(1), false)),
                new Person(StoreSamples.author(3), new Role.Invited(StoreSamples.author(1), true)),
                new Person(StoreSamples.author(4), new Role.Left())));
        assertTrue(page.contains("confirmed, leads"), page);
        assertTrue(page.contains("accepts by announcing the repository under the same name"), page);
        assertTrue(page.contains("has announced the repository, but lists no maintainer back"), page);
        assertTrue(page.contains("has left"), page);
        for (int person = 1; person <= 4; person++) {
            assertTrue(page.contains(new Npub(StoreSamples.author(person)).text()), page);
        }
    }

    @Test
    void theGoverningStateTellsWhoSignedWhatAndWhen() {
        var state = new SignedState(StoreSamples.author(2), TIME, "ab".repeat(32), 2, 1);
        var page = page(portrait(Phase.SERVED, Content.NONE, List.of(), Optional.of(state)));
        assertTrue(page.contains("2026-01-02 03:04 UTC"), page);
        assertTrue(page.contains("2 branches, 1 tag"), page);
        assertTrue(page.contains(new Npub(StoreSamples.author(2)).text()), page);
        var empty = new SignedState(StoreSamples.author(2), TIME, "ab".repeat(32), 0, 0);
        assertTrue(page(portrait(Phase.SERVED, Content.NONE, List.of(), Optional.of(empty)))
                .contains("emptied on purpose"));
    }

    @Test
    void whateverIsAwaitedComesWithTheCommandThatHelps() {
        var page = page(portrait(
                Phase.SERVED,
                Content.NONE,
                List.of(),
                Optional.empty(),
                new Awaited.Objects(StoreSamples.author(2), TIME),
                new Awaited.Commits(2),
                new Awaited.Alignment(TIME)));
        assertTrue(page.contains("waits for git data until 2026-01-02 03:04 UTC"), page);
        assertTrue(page.contains("2 pull requests wait"), page);
        assertTrue(page.contains("tries to give the repository the refs that were signed"), page);
        assertTrue(page.contains("/x%27%24%28rm%20-rf%29%3Cb%3E.git &#39;refs/heads/*:refs/heads/*&#39;"), page);
    }

    @Test
    void withdrawnAndArchivedRepositoriesSaySo() {
        assertTrue(page(portrait(Phase.WITHDRAWN, Content.NONE, List.of(), Optional.empty()))
                .contains("takes no pushes"));
        assertTrue(page(portrait(Phase.ARCHIVED, Content.NONE, List.of(), Optional.empty()))
                .contains("This is a copy"));
    }

    @Test
    void aRepositoryThatWaitsShowsNobodyButItsOwner() {
        var page = page(
                portrait(Phase.WAITING, Content.NONE, List.of(), Optional.empty(), new Awaited.FirstContent(TIME)));
        assertTrue(page.contains("waits for its first content"), page);
        assertFalse(page.contains("Maintainers"), page);
        assertEquals(1, page.split("<h2>Awaited</h2>", -1).length - 1);
    }
}
