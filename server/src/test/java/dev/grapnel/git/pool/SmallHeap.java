package dev.grapnel.git.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.grapnel.git.GitProgram;
import dev.grapnel.git.pool.LocalPool.Source.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Another process, whose heap the test chooses: brings an object from an area to Bob.
final class SmallHeap {
    private SmallHeap() {}

    /// Does it.
    ///
    /// @param arguments directory of the site, name of the area, the object, where to say what was found
    public static void main(String[] arguments) throws IOException {
        var tip = GitProgram.oid(arguments[2]);
        try (var site = PoolSite.at(Path.of(arguments[0]));
                var pool = site.pool(new Area(arguments[1]))) {
            var found = pool.find(tip);
            pool.bring(List.of(tip), site.bob);
            Files.write(Path.of(arguments[3]), found.toString().getBytes(UTF_8));
        }
    }
}
