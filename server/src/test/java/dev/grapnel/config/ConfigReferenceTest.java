package dev.grapnel.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/// The page for operators is made from the table.
final class ConfigReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/configuration.md");

    @Test
    void pageListsEverySettingAsItIs() throws IOException {
        var tables = ConfigReference.markdown();
        var page = Files.readString(PAGE);
        int begin = page.indexOf("\n## The service\n");
        var made = Files.writeString(Path.of("target/configuration.md"), page.substring(0, begin) + tables);
        assertEquals(page.substring(begin), tables, () -> PAGE + " is not up to date; copy " + made + " there");
    }

    @Test
    void noNameIsGivenTwice() {
        var flags = new HashSet<String>();
        for (var setting : Settings.ALL) {
            assertTrue(flags.add(setting.flag()), setting.name());
        }
    }
}
