package dev.grapnel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LocalRefsTest {
    private static final String ID = "12".repeat(20);

    private static LocalRefs refs(String... names) {
        return LocalRefs.parse(Arrays.stream(names).map(name -> ID + " " + name).toList(), "")
                .require();
    }

    private static String reason(String line) {
        return LocalRefs.parse(List.of(line), "") instanceof Parsed.Invalid<LocalRefs>(var reason) ? reason : "";
    }

    @Test
    void objectIdsOfAnotherHashCannotBePublished() {
        assertEquals(
                "its object ids are not SHA-1, and no other can be published",
                reason("12".repeat(32) + " refs/heads/main"));
    }

    @Test
    void refsThatNoServerTakesAreNamed() {
        var name = "refs/heads/" + "x".repeat(600);
        assertTrue(reason(ID + " " + name).contains(name));
    }

    @Test
    void branchThatHasNoCommitIsNotCheckedOut() {
        var refs = LocalRefs.parse(List.of(ID + " refs/heads/main"), "refs/heads/unborn");
        assertEquals(Optional.empty(), refs.require().head());
    }

    @Test
    void everythingDeclaredIsPushedTogether() {
        assertEquals(List.of("main"), refs("refs/heads/main").pushed());
        assertEquals(List.of("v1"), refs("refs/tags/v1").pushed());
        assertEquals(
                List.of("refs/heads/*:refs/heads/*"),
                refs("refs/heads/a", "refs/heads/b").pushed());
        assertEquals(
                List.of("refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"),
                refs("refs/heads/a", "refs/tags/v1").pushed());
    }
}
