package dev.grapnel.server.control;

import dev.grapnel.nostr.key.PublicKey;
import dev.grapnel.nostr.repository.RepositoryAddress;
import dev.grapnel.purgatory.Ejection;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes for good what the trash keeps of a repository.
public final class EjectAnswer implements ControlCommand {
    /// What it is asked for by.
    public static final String NAME = "eject";

    private static final Logger LOG = LoggerFactory.getLogger(EjectAnswer.class);

    private final Ejection ejection;

    public EjectAnswer(Ejection ejection) {
        this.ejection = ejection;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void run(ControlRequest request, ControlOutput output) throws ControlRefusal, IOException {
        var owner = request.arguments()
                .findText("owner")
                .flatMap(digits -> PublicKey.parse(digits).find())
                .orElseThrow(() -> new ControlRefusal("an owner is 64 hex digits"));
        var identifier = CheckAnswer.findIdentifier(request)
                .orElseThrow(() -> new ControlRefusal("which repository is meant is missing"));
        var address = new RepositoryAddress(owner, identifier);
        var ejected = ejection.eject(address)
                .orElseThrow(
                        () -> new ControlRefusal("no such repository is in the trash; one that is served leaves when"
                                + " its announcement is deleted, banned or blacklisted"));
        LOG.info("trash deleted by the operator repository={} events={}", address, ejected.events());
        output.line(CheckAnswer.begin(address)
                .raw(",\"events\":")
                .number(ejected.events())
                .raw(",\"records\":")
                .number(ejected.records())
                .raw("}"));
    }
}
