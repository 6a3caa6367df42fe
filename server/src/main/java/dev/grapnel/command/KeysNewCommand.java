package dev.grapnel.command;

import dev.grapnel.client.KeyFile;
import dev.grapnel.nostr.nip19.Npub;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `grapnel keys new`.
@Command(
        name = "new",
        description = {
            "Makes a secret key and prints the public one.",
            "The secret one is written as nsec to a new file that nobody else may read. Keep a copy: whoever has it is"
                    + " you, and without it nobody is."
        })
final class KeysNewCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Parameters(paramLabel = "<file>", description = "A new file for the secret key.")
    private Path file = Path.of("");

    KeysNewCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        var key = KeyFile.make(file, new SecureRandom());
        new StandardOutput(invocation).print(new Npub(key.publicKey()).text());
        return ExitCode.OK;
    }
}
