package dev.grapnel.command;

import dev.grapnel.client.KeyFile;
import dev.grapnel.nostr.nip19.Npub;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// `grapnel keys show`.
@Command(name = "show", description = "Prints the public key that belongs to a secret one; never the secret one.")
final class KeysShowCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Parameters(paramLabel = "<file>", description = "The file with the secret key.")
    private String file = "";

    KeysShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        new StandardOutput(invocation).print(new Npub(KeyFile.require(file).publicKey()).text());
        return ExitCode.OK;
    }
}
