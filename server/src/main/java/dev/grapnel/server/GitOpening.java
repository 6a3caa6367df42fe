package dev.grapnel.server;

import dev.grapnel.config.Configuration;
import dev.grapnel.config.PurgatorySettings;
import dev.grapnel.config.ServiceSettings;
import dev.grapnel.config.Setting;
import dev.grapnel.git.FreeSpace;
import dev.grapnel.git.pack.PackLimits;
import dev.grapnel.git.push.PushLimits;
import dev.grapnel.git.repository.RepositoriesConfig;
import dev.grapnel.server.address.Rate;
import dev.grapnel.server.git.GitConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where repositories lie and what strangers may ask of them, as the operator set it.
record GitOpening(Configuration settings, int cores, long heapBytes) {
    private static final int INFLATED = 4;

    /// The directory of the repositories. A server that keeps its events in memory keeps them, too,
    /// somewhere that is forgotten, unless the operator names a place.
    Path directory() throws IOException {
        boolean inMemory = settings.require(ServiceSettings.DATABASE_BACKEND) == ServiceSettings.Backend.MEMORY;
        boolean given = settings.findValue(ServiceSettings.GIT_DATA_PATH)
                .map(Configuration.Value::isGiven)
                .orElse(false);
        if (inMemory && !given) {
            return Files.createTempDirectory("grapnel-git-");
        }
        return settings.require(ServiceSettings.GIT_DATA_PATH);
    }

    GitConfig config() {
        long packBytes = orAny(ServiceSettings.MAX_PUSH_BYTES);
        var pack = new PackLimits(
                packBytes,
                Math.min(settings.require(PurgatorySettings.MAX_PACK_OBJECTS), Integer.MAX_VALUE / 2),
                Math.min(settings.require(PurgatorySettings.MAX_OBJECT_BYTES), Integer.MAX_VALUE - 1),
                RepositoriesConfig.defaults().caches().wholeBytesMax(),
                packBytes > Long.MAX_VALUE / INFLATED ? Long.MAX_VALUE : packBytes * INFLATED,
                PackLimits.DEFAULTS.deltaDepth(),
                PackLimits.DEFAULTS.resolved());
        int commands = (int) Math.min(orAny(ServiceSettings.MAX_PUSH_COMMANDS), Integer.MAX_VALUE - 1);
        var config = GitConfig.of(cores, heapBytes, new PushLimits(commands, pack));
        return settings.find(ServiceSettings.PACK_CONCURRENCY)
                .map(places -> config.withPlaces((int) Math.min(places, Integer.MAX_VALUE), heapBytes))
                .orElse(config);
    }

    /// What must stay free where the repositories are.
    FreeSpace space(Path directory) {
        return FreeSpace.of(directory, settings.require(PurgatorySettings.MIN_FREE_DISK_BYTES));
    }

    Rate requests() {
        long amount = orAny(ServiceSettings.GIT_REQUESTS_PER_MINUTE_PER_IP);
        return Rate.perMinute(amount, amount);
    }

    private long orAny(Setting<Long> setting) {
        long value = settings.require(setting);
        return value == 0 ? Long.MAX_VALUE : value;
    }
}
