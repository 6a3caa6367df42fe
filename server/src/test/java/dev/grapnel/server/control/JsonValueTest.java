package dev.grapnel.server.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.grapnel.nostr.Parsed;
import dev.grapnel.server.control.JsonValue.Fields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonValueTest {
    private static Parsed<JsonValue> parse(String json) {
        return JsonValue.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"\"",
                "null",
                "-1.5e3",
                "{\"b\":1,\"a\":[true,false,null,{\"c\":\"\\u0001\\\"ä🦀\"}],\"\":[]}"
            })
    void whatIsReadIsWrittenTheSame(String json) {
        assertEquals(json, parse(json).require().json());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "{\"a\"}", "{\"a\":1,\"a\":2}", "1 2", "\"\\ud800\"", "]", "nul"})
    void whatIsNoJsonIsRefusedWithAReason(String json) {
        var reason = assertInstanceOf(Parsed.Invalid.class, parse(json)).reason();
        assertTrue(!reason.isEmpty(), json);
    }

    @Test
    void aDeepValueIsRefused() {
        int levels = JsonValue.DEPTH_MAX + 1;
        assertInstanceOf(Parsed.Invalid.class, parse("[".repeat(levels) + "]".repeat(levels)));
    }

    @Test
    void fieldsAreFoundByNameAndSort() {
        var fields = (Fields) parse("{\"t\":\"x\",\"n\":7,\"half\":0.5,\"yes\":true,\"no\":false,\"l\":[1],\"o\":{}}")
                .require();
        assertEquals(Optional.of("x"), fields.findText("t"));
        assertEquals(Optional.empty(), fields.findText("n"));
        assertEquals(OptionalLong.of(7), fields.findNumber("n"));
        assertEquals(OptionalLong.empty(), fields.findNumber("half"));
        assertEquals(
                List.of(true, false, false), List.of(fields.isTrue("yes"), fields.isTrue("no"), fields.isTrue("t")));
        assertEquals(1, fields.items("l").size());
        assertTrue(fields.findFields("o").isPresent());
    }
}
