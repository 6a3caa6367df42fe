package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a `.gitmodules` file may say.
final class SubmodulesFileTest {
    @Test
    void ordinaryFileIsFine() {
        assertNull(flawOf("""
                [core]
                    url = -x
                # a comment
                [submodule "lib/..x/y"] ; another
                    path = lib/x
                    url = https://example.org/x.git
                    branch = main
                [submodule "lib/z"]
                    url = ../z.git
                    path
                """));
        assertNull(flawOf(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[submodule \"..\"]",
                "[submodule \"a/../b\"]",
                "[submodule \"a\\\\..\\\\b\"]",
                "[submodule \"\"]",
                "[submodule \".\\.\"]",
                "[submodule.a/..]",
                "[Submodule\t\"..\"]",
                "[submodule \"..\"] "
            })
    void badNamesAreFound(String section) {
        var flaw = flawOf(section + "\nurl = x\n");
        if (section.equals("[submodule.a/..]")) {
            assertNull(flaw, "no section has a slash in its name, so git reads no further");
        } else {
            assertEquals(".gitmodules has a bad submodule name", flaw);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "url = -x",
                "URL = -x",
                "url=\"-x\"",
                "url = \"\"-x",
                "url = \\\n-x",
                "url = -x # why",
                "  url\t= -x",
                "path = y\nurl = -x",
                "url = \"-\"x"
            })
    void badUrlIsFoundHoweverItIsWritten(String line) {
        assertEquals(".gitmodules has a bad submodule url", flawOf("[submodule \"x\"]\n" + line + "\n"));
        assertEquals(".gitmodules has a bad submodule url", flawOf("\u00ef\u00bb\u00bf[submodule \"x\"]" + line));
        assertEquals(".gitmodules has a bad submodule url", flawOf("[submodule \"x\"]\r\n" + line + "\r\n"));
    }

    @Test
    void badPathAndCommandAreFound() {
        assertEquals(".gitmodules has a bad submodule path", flawOf("[submodule \"x\"]\npath = -x\n"));
        assertEquals(".gitmodules has a command to update a submodule", flawOf("[submodule \"x\"]\nupdate = !rm\n"));
        assertNull(flawOf("[submodule \"x\"]\nupdate = rebase\n"));
    }

    @Test
    void brokenFileIsJudgedAsFarAsItCanBeRead() {
        assertNull(flawOf("[submodule \"x\"\nurl = -x\n"));
        assertNull(flawOf("!\n[submodule \"x\"]\nurl = -x\n"));
        assertNull(flawOf("[submodule \"x\"]\nurl = \"-x\n"));
        assertNull(flawOf("[submodule \"x\"]\nurl = \\q-x\n"));
        assertEquals(".gitmodules has a bad submodule url", flawOf("[submodule \"x\"]\nurl = -x\n[broken"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-x",
                "../../:x",
                ".././../:example.org/x",
                "..//example.org",
                "./%0ax",
                "git://host/%0A",
                "https://example.org/%0ahost=evil",
                "http::https://example.org/\nhost=x",
                "https:///x",
                "http::x",
                "https://host:99999/",
                "https://host:x/",
                "https://ho st/",
                "ftp://"
            })
    void harmfulAddressesAreRefused(String url) {
        assertFalse(SubmoduleUrl.isSafe(url), url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.org/x.git",
                "http://u:p@example.org:8080/x",
                "https://[::1]:80/x",
                "https://[::1]/x",
                "../x.git",
                "./x",
                "../../x/y",
                "git@example.org:x.git",
                "ssh://host/x",
                "/srv/x",
                "file:///x",
                "git://host/x",
                "https://example.org",
                "nostr://npub1x/y"
            })
    void usualAddressesAreFine(String url) {
        assertTrue(SubmoduleUrl.isSafe(url), url);
    }

    private static @Nullable String flawOf(String file) {
        var bytes = bytes(file);
        return SubmodulesFile.findFlaw(bytes, bytes.length);
    }
}
