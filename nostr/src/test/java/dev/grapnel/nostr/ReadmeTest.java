package dev.grapnel.nostr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import org.junit.jupiter.api.Test;

final class ReadmeTest {
    /// What a newcomer pastes must work, and give what the text promises.
    @Test
    void theTourInTheReadmeWorksAsItStands() throws Exception {
        var readme = Files.readString(Path.of("../README.md"));
        int from = readme.indexOf("```java\n") + "```java\n".length();
        var values = run("import java.util.*;\n" + readme.substring(from, readme.indexOf("```", from)));

        assertEquals("true", values.get("verdict"));
        assertTrue(values.getOrDefault("last", "")
                .contains(",false,\\\"invalid: id is not the hash of the event, which is "));
        assertTrue(values.getOrDefault("npub", "").startsWith("\"npub1"));
    }

    private static Map<String, String> run(String code) {
        Map<String, String> values = new HashMap<>();
        try (var shell = JShell.builder().executionEngine("local").build()) {
            var rest = shell.sourceCodeAnalysis().analyzeCompletion(code);
            while (!rest.source().isEmpty()) {
                for (var event : shell.eval(rest.source())) {
                    assertEquals(Snippet.Status.VALID, event.status(), () -> rest(event.snippet(), shell));
                    assertEquals(null, event.exception(), event.snippet().source());
                    if (event.value() != null) {
                        values.put("last", event.value());
                    }
                }
                rest = shell.sourceCodeAnalysis().analyzeCompletion(rest.remaining());
            }
            shell.variables().forEach(variable -> values.put(variable.name(), shell.varValue(variable)));
        }
        return values;
    }

    private static String rest(Snippet snippet, JShell shell) {
        return snippet.source()
                + shell.diagnostics(snippet)
                        .map(found -> found.getMessage(null))
                        .toList();
    }
}
