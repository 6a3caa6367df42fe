package dev.grapnel.git.pack;

import static dev.grapnel.git.pack.PackBuilder.bytes;
import static dev.grapnel.git.pack.PackBuilder.copy;
import static dev.grapnel.git.pack.PackBuilder.delta;
import static dev.grapnel.git.pack.PackBuilder.entry;
import static dev.grapnel.git.pack.PackBuilder.idOf;
import static dev.grapnel.git.pack.PackBuilder.idOfBlob;
import static dev.grapnel.git.pack.PackBuilder.insert;
import static dev.grapnel.git.pack.PackBuilder.join;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.grapnel.git.ObjectType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever is done to a good pack, it is refused, or taken as it is; nothing else happens, and nothing is
/// left.
final class MutatedPackTest {
    private static final int ROUNDS = 3000;

    @TempDir
    private Path root;

    @Test
    void damagedPackIsRefused() throws IOException {
        var good = pack();
        try (var site = new Site(root)) {
            site.accept(good);
            for (int seed = 0; seed < ROUNDS; seed++) {
                var pack = mutate(good, new Random(seed));
                if (Arrays.equals(pack, good)) {
                    continue;
                }
                assertInstanceOf(Intake.Refused.class, site.receive(pack), "seed " + seed);
            }
        }
    }

    @Test
    void damagedPackWithRightChecksumIsRefusedOrTakenAsItIs() throws IOException {
        var good = pack();
        try (var site = new Site(root)) {
            for (int seed = 0; seed < ROUNDS; seed++) {
                var pack = mutate(Arrays.copyOf(good, good.length - 20), new Random(seed));
                pack = join(pack, Checksum.sha1().digest(pack));
                switch (site.receive(pack)) {
                    case Intake.Received(var accepted) ->
                        assertArrayEquals(pack, Files.readAllBytes(accepted.pack()), "seed " + seed);
                    case Intake.Refused refused -> Site.reasonOf(refused);
                    case Intake.Empty _ -> assertArrayEquals(new byte[4], Arrays.copyOfRange(pack, 8, 12));
                }
            }
        }
    }

    private static byte[] mutate(byte[] good, Random random) {
        int at = random.nextInt(good.length);
        int length = 1 + random.nextInt(4);
        var some = new byte[length];
        random.nextBytes(some);
        var before = Arrays.copyOf(good, at);
        return switch (random.nextInt(4)) {
            case 0 -> {
                var flipped = good.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                yield flipped;
            }
            case 1 -> before;
            case 2 -> join(before, some, Arrays.copyOfRange(good, at, good.length));
            default -> join(before, Arrays.copyOfRange(good, Math.min(good.length, at + length), good.length));
        };
    }

    private static byte[] pack() {
        var text = "some text that is long enough to be worth a delta ".repeat(4);
        var base = bytes(text);
        var tree = join(entry("100644", "file", idOfBlob(text)), entry("100644", "link", idOfBlob(text + "!")));
        var commit = RefusedPackTest.commit(idOf(ObjectType.TREE, tree), "");
        var builder = new PackBuilder().add(ObjectType.COMMIT, commit).add(ObjectType.TREE, tree);
        int offset = builder.offset();
        builder.add(ObjectType.BLOB, base);
        builder.deltaOn(offset, delta(base.length, base.length + 1, copy(0, base.length), insert("!")));
        builder.deltaOn(idOfBlob(text + "!"), delta(base.length + 1, 5, copy(3, 4), insert("?")));
        return builder.build();
    }
}
