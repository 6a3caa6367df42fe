package dev.grapnel.server;

import static dev.grapnel.server.GraspUnderTest.DOMAIN;
import static dev.grapnel.server.GraspUnderTest.cloneUrl;
import static dev.grapnel.server.GraspUnderTest.maintainers;
import static dev.grapnel.server.Replies.assertAnswer;
import static dev.grapnel.server.Replies.assertHeld;
import static dev.grapnel.server.Replies.assertRefused;
import static dev.grapnel.server.Replies.assertTaken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.event.Event;
import dev.grapnel.nostr.event.Kinds;
import dev.grapnel.nostr.nip19.Npub;
import dev.grapnel.store.StoreSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which list decides (service 4.12), and what the relay says about its lists (service 3).
final class ListPrecedenceTest {
    private static final int ANN = 1;
    private static final int BOB = 2;
    private static final String NPUB = new Npub(StoreSamples.author(ANN)).text();

    /// Settings such as `REPOSITORY_WHITELIST=x ARCHIVE_ALL=true`; NPUB stands for the author's.
    private static GraspUnderTest start(String settings) {
        var all = new ArrayList<String>();
        for (var setting : settings.replace("NPUB", NPUB).split(" ", -1)) {
            if (!setting.isEmpty()) {
                all.addAll(List.of(setting.split("=", 2)));
            }
        }
        return GraspUnderTest.start(all.toArray(String[]::new));
    }

    /// Every row of the table; `lists` says whether the announcement lists this service.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "EVENT_BLACKLIST=NPUB|yes|blocked: Event author NPUB is blacklisted",
                "EVENT_BLACKLIST=NPUB REPOSITORY_WHITELIST=NPUB ARCHIVE_ALL=true ARCHIVE_READ_ONLY=false|yes"
                        + "|blocked: Event author NPUB is blacklisted",
                "REPOSITORY_BLACKLIST=NPUB|yes|blocked: Repository owner NPUB is blacklisted",
                "REPOSITORY_BLACKLIST=NPUB/x|yes|blocked: Repository NPUB/x is blacklisted",
                "REPOSITORY_BLACKLIST=x|yes|blocked: Repository identifier x is blacklisted",
                "REPOSITORY_BLACKLIST=x REPOSITORY_WHITELIST=x|yes|blocked: Repository identifier x is blacklisted",
                "REPOSITORY_BLACKLIST=x ARCHIVE_ALL=true|no|blocked: Repository identifier x is blacklisted",
                "REPOSITORY_BLACKLIST=X|yes|-",
                "REPOSITORY_BLACKLIST=xx,NPUB/y|yes|-",
                "|yes|-",
                "REPOSITORY_WHITELIST=NPUB|yes|-",
                "REPOSITORY_WHITELIST=NPUB/x|yes|-",
                "REPOSITORY_WHITELIST=x|yes|-",
                "REPOSITORY_WHITELIST=y|yes|blocked: repository is not on the whitelist of this service",
                "REPOSITORY_WHITELIST=NPUB/y|yes|blocked: repository is not on the whitelist of this service",
                "REPOSITORY_WHITELIST=x|no|blocked: announcement must list this service",
                "REPOSITORY_WHITELIST=y ARCHIVE_WHITELIST=x ARCHIVE_READ_ONLY=false|yes|-",
                "REPOSITORY_WHITELIST=y ARCHIVE_ALL=true ARCHIVE_READ_ONLY=false|yes|-",
                "ARCHIVE_ALL=true ARCHIVE_READ_ONLY=false|no|-",
                "ARCHIVE_ALL=true|no|-",
                "ARCHIVE_WHITELIST=NPUB|no|-",
                "ARCHIVE_WHITELIST=NPUB/x|no|-",
                "ARCHIVE_GRASP_SERVICES=other.example.org|no|-",
                "ARCHIVE_GRASP_SERVICES=third.example.org|no|blocked: this service is a read-only archive",
                "ARCHIVE_ALL=true|yes|-",
                "ARCHIVE_WHITELIST=x|yes|-",
                "ARCHIVE_WHITELIST=y|yes|blocked: this service is a read-only archive",
                "ARCHIVE_WHITELIST=y ARCHIVE_READ_ONLY=false|yes|-",
                "ARCHIVE_WHITELIST=y ARCHIVE_READ_ONLY=false|no|blocked: announcement must list this service",
                "|no|blocked: announcement must list this service"
            })
    void firstMatchDecides(String settings, String lists, String refusal) throws Exception {
        try (var server = start(settings == null ? "" : settings);
                var client = server.connect()) {
            var event = lists.equals("yes") ? server.announcement(ANN, "x") : server.elsewhere(ANN, "x");
            if (refusal == null) {
                assertHeld(client, event);
                assertEquals(200, server.gitStatus(ANN, "x"));
            } else {
                assertRefused(client, event, refusal.replace("NPUB", NPUB));
                assertEquals(0, server.onDisk());
            }
        }
    }

    /// The maintainer exception rescues from everything but a blacklist.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "REPOSITORY_WHITELIST=NPUB|yes",
                "REPOSITORY_WHITELIST=NPUB|no",
                "ARCHIVE_WHITELIST=NPUB|yes",
                "ARCHIVE_WHITELIST=NPUB ARCHIVE_READ_ONLY=false|no"
            })
    void whoeverIsNamedIsKeptAsReference(String settings, String lists) throws Exception {
        try (var server = start(settings);
                var client = server.connect()) {
            server.serve(server.announcement(ANN, "x", maintainers(BOB)));
            var event = lists.equals("yes")
                    ? server.announcement(BOB, "x", maintainers(ANN))
                    : server.elsewhere(BOB, "x", maintainers(ANN));
            assertTaken(client, event);
            assertEquals(404, server.gitStatus(BOB, "x"));
        }
    }

    @Test
    void blacklistIsStrongerThanBeingNamed() throws Exception {
        var bob = new Npub(StoreSamples.author(BOB));
        try (var server = GraspUnderTest.start("REPOSITORY_BLACKLIST", bob + "/x");
                var client = server.connect()) {
            server.serve(server.announcement(ANN, "x", maintainers(BOB)));
            assertAnswer(
                    client,
                    server.elsewhere(BOB, "x", maintainers(ANN)),
                    false,
                    "blocked: Repository " + bob + "/x is blacklisted");
        }
    }

    /// Service 5.1.2: nobody listens to those on the event blacklist.
    @Test
    void announcementsOfBlacklistedAuthorsDoNotSpeak() throws Exception {
        try (var server = start("EVENT_BLACKLIST=NPUB");
                var client = server.connect()) {
            server.serve(server.announcement(ANN, "x", maintainers(BOB)));
            assertAnswer(client, server.state(BOB, "x"), false, "invalid: no announcement exists for this repository");
            assertRefused(client, server.elsewhere(BOB, "x", maintainers(ANN)), "blocked: announcement must list");
        }
    }

    /// Service A.1.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://git.example.com/NPUB/my%20repo.git|wss://git.example.com|yes",
                "HTTP://GIT.example.com:80/NPUB/my%20repo.git/|ws://git.example.com/|yes",
                "https://git.example.com:8443/NPUB/my%20repo.git|wss://git.example.com|no",
                "https://git.example.com/OTHER/my%20repo.git|wss://git.example.com|no",
                "https://git.example.com.evil.org/NPUB/my%20repo.git|wss://git.example.com|no",
                "https://evil.org/git.example.com/NPUB/my%20repo.git|wss://git.example.com|no",
                "https://git.example.com/NPUB/my%20repo.git|wss://relay.other.org|no",
                "https://u:p@git.example.com/NPUB/my%20repo.git|wss://git.example.com|no",
                "https://git.example.com/NPUB/my%2520repo.git|wss://git.example.com|no"
            })
    void announcementListsTheService(String clone, String relay, String lists) throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            var other = new Npub(StoreSamples.author(BOB)).text();
            var event = server.event(
                    ANN,
                    Kinds.ANNOUNCEMENT,
                    List.of("d", "my repo"),
                    List.of("clone", clone.replace("NPUB", NPUB).replace("OTHER", other)),
                    List.of("relays", relay));
            if (lists.equals("yes")) {
                assertHeld(client, event);
                assertTrue(server.isOnDisk(ANN, "my repo"));
            } else {
                assertRefused(client, event, "blocked: announcement must list this service");
            }
        }
    }

    @Test
    void valuesOfSeveralRelaysTagsAreUnited() throws Exception {
        try (var server = GraspUnderTest.start();
                var client = server.connect()) {
            Event event = server.event(
                    ANN,
                    Kinds.ANNOUNCEMENT,
                    List.of("d", "x"),
                    List.of("clone", "https://other.example.org/x.git", cloneUrl(ANN, "x")),
                    List.of("relays", "wss://other.example.org"),
                    List.of("relays", DOMAIN));
            assertHeld(client, event);
        }
    }

    private static String information(GraspUnderTest server) throws IOException {
        try (var answer = WireClient.request(
                server.service().port(),
                "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: application/nostr+json\r\n\r\n")) {
            return answer.body();
        }
    }

    private static final String CRITERIA = "Announcements must list this service in both the clone and relays tags.";

    /// Service 3: grasps, criteria and curation.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "SYNC_ENABLED=true|\"GRASP-01\",\"GRASP-02\"|" + CRITERIA + "|-",
                "SYNC_ENABLED=false|\"GRASP-01\"|" + CRITERIA + "|-",
                "REPOSITORY_BLACKLIST=x EVENT_BLACKLIST=NPUB|\"GRASP-01\"|" + CRITERIA + "|-",
                "REPOSITORY_WHITELIST=x|\"GRASP-01\"|" + CRITERIA
                        + " Only whitelisted repositories and maintainers."
                        + "|Accepts only whitelisted repositories and maintainers that list this service",
                "ARCHIVE_ALL=true|\"GRASP-01\",\"GRASP-05\"|None accepted directly: read-only archive."
                        + "|Read-only sync of all repositories found on network",
                "ARCHIVE_WHITELIST=x|\"GRASP-01\",\"GRASP-05\"|None accepted directly: read-only archive."
                        + "|Read-only sync of whitelisted repositories and maintainers",
                "ARCHIVE_GRASP_SERVICES=other.example.org|\"GRASP-01\",\"GRASP-05\""
                        + "|None accepted directly: read-only archive."
                        + "|Read-only sync of repositories from specified GRASP servers",
                "ARCHIVE_WHITELIST=x REPOSITORY_WHITELIST=y ARCHIVE_READ_ONLY=false|\"GRASP-01\",\"GRASP-05\"|"
                        + CRITERIA + " Only whitelisted repositories and maintainers."
                        + "|Accepts whitelisted repositories (with or without service listing) and whitelisted"
                        + " repositories that list this service",
                "ARCHIVE_WHITELIST=x ARCHIVE_READ_ONLY=false|\"GRASP-01\",\"GRASP-05\"|" + CRITERIA + "|-"
            })
    void relaySaysWhichRepositoriesItTakes(String settings, String grasps, String criteria, String curation)
            throws Exception {
        try (var server = start(settings == null ? "" : settings)) {
            var document = information(server);
            assertTrue(document.contains("\"supported_grasps\":[" + grasps + "]"), document);
            assertTrue(document.contains("\"repo_acceptance_criteria\":\"" + criteria + "\""), document);
            assertEquals(curation != null, document.contains("\"curation\":"), document);
            assertTrue(curation == null || document.contains("\"curation\":\"" + curation + "\""), document);
            assertTrue(document.contains("\"restricted_writes\":true"), document);
        }
    }
}
