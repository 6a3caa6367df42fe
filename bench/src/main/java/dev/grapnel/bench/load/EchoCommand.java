package dev.grapnel.bench.load;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/// `echo`.
@Command(
        name = "echo",
        mixinStandardHelpOptions = true,
        description = "Runs a relay that does nothing, until its standard input ends, and prints its port.")
final class EchoCommand implements Callable<Integer> {
    @Option(names = "--port", defaultValue = "0", description = "Where it listens (default: any).")
    private int port;

    @Override
    public Integer call() throws IOException {
        try (var relay = new EchoRelay(port)) {
            System.out.println(relay.port());
            while (System.in.read() >= 0) {
                /* whoever started this still lives */
            }
        }
        return ExitCode.OK;
    }
}
