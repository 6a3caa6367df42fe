package dev.grapnel.server.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The relay's information document (relay 5.1, service 3).
final class Nip11Test {
    private static final Features ALL_ON = new Features(true, true, true, true, true, true, true);

    private static Nip11 of(Map<String, String> variables, Features features) {
        var configuration = Site.configuration(variables);
        return new Nip11(configuration, Site.identity(configuration), features);
    }

    private static String json(Map<String, String> variables, Features features) {
        return new String(of(variables, features).json(), StandardCharsets.UTF_8);
    }

    private static List<Integer> nips(Map<String, String> variables) {
        return of(variables, Features.RELAY_ONLY).supportedNips();
    }

    @Test
    void defaultsOfARelayThatDoesNothingElse() {
        assertEquals(
                "{\"name\":\"git.example.com grasp relay\",\"description\":\"Git Nostr Relay - a grasp implementation\","
                        + "\"pubkey\":\"f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9\","
                        + "\"self\":\"f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9\","
                        + "\"icon\":\"https://git.example.com/icon.png\",\"software\":\"https://grapnel.example\","
                        + "\"version\":\"1.2.3-abc1234\",\"supported_nips\":[1,5,9,11,34,40,42,45,62,70,77],"
                        + "\"supported_grasps\":[],\"limitation\":{\"max_message_length\":5242880,"
                        + "\"max_subscriptions\":500,\"max_limit\":5000,\"max_subid_length\":64,"
                        + "\"max_event_tags\":25000,\"max_content_length\":524288,\"min_pow_difficulty\":0,"
                        + "\"auth_required\":false,\"payment_required\":false,\"restricted_writes\":false,"
                        + "\"created_at_upper_limit\":900,\"default_limit\":5000}}",
                json(Map.of(), Features.RELAY_ONLY));
    }

    @Test
    void nipsFollowTheSettings() {
        assertEquals(List.of(1, 5, 9, 11, 34, 40, 42, 45, 62, 70, 77), nips(Map.of()));
        assertEquals(List.of(1, 5, 9, 11, 34, 40, 45, 62, 70, 77), nips(Map.of("AUTH", "off")));
        assertEquals(List.of(1, 5, 9, 11, 34, 40, 42, 45, 62, 70), nips(Map.of("NEGENTROPY", "false")));
        assertEquals(List.of(1, 5, 9, 11, 34, 40, 42, 62, 70, 77), nips(Map.of("COUNT", "false")));
        assertEquals(List.of(1, 5, 11, 34, 40, 42, 45, 70, 77), nips(Map.of("DELETION_REQUEST_DISRESPECTOR", "true")));
        assertEquals(List.of(1, 9, 11, 34, 40, 42, 45, 62, 70, 77), nips(Map.of("BASE_PATH", "/nostr")));
        assertEquals(List.of(1, 5, 9, 11, 13, 34, 40, 42, 45, 62, 70, 77), nips(Map.of("MIN_POW_DIFFICULTY", "20")));
        assertEquals(List.of(1, 5, 9, 11, 34, 40, 42, 45, 62, 67, 70, 77), nips(Map.of("EOSE_HINT", "true")));
    }

    @Test
    void searchAndManagementAreListedOnlyWhereTheyWork() {
        var search = Map.of("SEARCH", "true");
        assertFalse(nips(search).contains(50));
        assertTrue(of(search, ALL_ON).supportedNips().containsAll(List.of(50, 86, 98)));
        assertFalse(of(Map.of(), ALL_ON).supportedNips().contains(50));
    }

    @Test
    void numbersAreTheConfiguredOnes() {
        var variables = Map.ofEntries(
                Map.entry("MAX_MESSAGE_LENGTH", "4000001"),
                Map.entry("MAX_SUBSCRIPTIONS", "7"),
                Map.entry("MAX_LIMIT", "70"),
                Map.entry("DEFAULT_LIMIT", "60"),
                Map.entry("MAX_SUBID_LENGTH", "65"),
                Map.entry("MAX_EVENT_TAGS", "66"),
                Map.entry("MAX_CONTENT_LENGTH", "67"),
                Map.entry("MIN_POW_DIFFICULTY", "8"),
                Map.entry("AUTH", "required"),
                Map.entry("CREATED_AT_LOWER_LIMIT", "94608000"),
                Map.entry("CREATED_AT_UPPER_LIMIT", "901"));
        var json = json(variables, ALL_ON);
        assertTrue(
                json.contains("\"limitation\":{\"max_message_length\":4000001,\"max_subscriptions\":7,\"max_limit\":70,"
                        + "\"max_subid_length\":65,\"max_event_tags\":66,\"max_content_length\":67,"
                        + "\"min_pow_difficulty\":8,\"auth_required\":true,\"payment_required\":false,"
                        + "\"restricted_writes\":true,\"created_at_lower_limit\":94608000,"
                        + "\"created_at_upper_limit\":901,\"default_limit\":60}"),
                json);
    }

    @Test
    void defaultLimitIsNeverMoreThanTheGreatest() {
        assertEquals(10, of(Map.of("MAX_LIMIT", "10"), Features.RELAY_ONLY).defaultLimit());
    }

    @Test
    void nameDescriptionAndContactAreTheOperators() {
        var json = json(
                Map.of("RELAY_NAME", "a \"b\"\n\u00fc", "RELAY_DESCRIPTION", "c", "CONTACT", "mailto:x@example.com"),
                Features.RELAY_ONLY);
        assertTrue(json.startsWith("{\"name\":\"a \\\"b\\\"\\n\u00fc\",\"description\":\"c\","), json);
        assertTrue(json.contains("\"contact\":\"mailto:x@example.com\""), json);
    }

    @Test
    void loopbackIsReachedWithoutTls() {
        for (var domain : List.of("localhost:7334", "127.0.0.1:7334", "[::1]:7334", "a.localhost")) {
            assertTrue(
                    json(Map.of("DOMAIN", domain), Features.RELAY_ONLY)
                            .contains("\"icon\":\"http://" + domain + "/icon.png\""),
                    domain);
        }
        assertTrue(json(Map.of("DOMAIN", "127.example.com", "BASE_PATH", "/a"), Features.RELAY_ONLY)
                .contains("\"icon\":\"https://127.example.com/a/icon.png\""));
    }

    @Test
    void graspsAreInNumericOrderAndOnlyThoseThatAreOn() {
        assertEquals(
                List.of(),
                of(Map.of("ARCHIVE_ALL", "true"), Features.RELAY_ONLY).supportedGrasps());
        assertEquals(
                List.of("GRASP-01", "GRASP-02", "GRASP-03", "GRASP-06"),
                of(Map.of(), ALL_ON).supportedGrasps());
        assertEquals(
                List.of("GRASP-01", "GRASP-02", "GRASP-03", "GRASP-05", "GRASP-06"),
                of(Map.of("ARCHIVE_ALL", "true"), ALL_ON).supportedGrasps());
    }

    @Test
    void criteriaSayWhatIsAccepted() {
        var open =
                "\"repo_acceptance_criteria\":\"Announcements must list this service in both the clone and relays tags.";
        assertTrue(json(Map.of(), ALL_ON).contains(open + "\""));
        assertTrue(json(Map.of("REPOSITORY_WHITELIST", "x"), ALL_ON)
                .contains(open + " Only whitelisted repositories and maintainers.\""));
        assertTrue(json(Map.of("ARCHIVE_ALL", "true"), ALL_ON)
                .contains("\"repo_acceptance_criteria\":\"None accepted directly: read-only archive.\""));
        assertFalse(json(Map.of(), Features.RELAY_ONLY).contains("repo_acceptance_criteria"));
    }

    @Test
    void curationIsTheFirstThatApplies() {
        assertCuration("Read-only sync of all repositories found on network", Map.of("ARCHIVE_ALL", "true"));
        assertCuration("Read-only sync of whitelisted repositories and maintainers", Map.of("ARCHIVE_WHITELIST", "x"));
        assertCuration(
                "Read-only sync of repositories from specified GRASP servers",
                Map.of("ARCHIVE_GRASP_SERVICES", "git.example.org"));
        assertCuration(
                "Accepts whitelisted repositories (with or without service listing) and whitelisted repositories that"
                        + " list this service",
                Map.of("ARCHIVE_WHITELIST", "x", "ARCHIVE_READ_ONLY", "false", "REPOSITORY_WHITELIST", "y"));
        assertCuration(
                "Accepts only whitelisted repositories and maintainers that list this service",
                Map.of("REPOSITORY_WHITELIST", "y"));
        for (var variables : List.of(
                Map.<String, String>of(),
                Map.of("ARCHIVE_ALL", "true", "ARCHIVE_READ_ONLY", "false"),
                Map.of("REPOSITORY_BLACKLIST", "x"))) {
            assertFalse(json(variables, ALL_ON).contains("curation"), variables.toString());
        }
        assertFalse(json(Map.of("ARCHIVE_ALL", "true"), Features.RELAY_ONLY).contains("curation"));
    }

    private static void assertCuration(String text, Map<String, String> variables) {
        var json = json(variables, ALL_ON);
        assertTrue(json.contains("\"curation\":\"" + text + "\""), json);
    }
}
