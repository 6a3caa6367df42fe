package dev.grapnel.git.client;

import dev.grapnel.git.wire.BandReader;
import dev.grapnel.git.wire.BrokenPacket;
import dev.grapnel.git.wire.Packet;
import dev.grapnel.git.wire.PacketReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The answer to a request for objects: what stands before the pack, and the pack out of its bands.
final class PackAnswer implements BandReader.Beside {
    private static final Logger LOG = LoggerFactory.getLogger(PackAnswer.class);

    /// Of what is said beside the pack: servers that work for an hour say less.
    static final long WORDS_MAX = 1 << 20;

    private static final int LINES_MAX = 10_000;
    private static final int PACKET = 5;
    private static final String WORDS_BAND = "\2";
    private static final String ERROR_BAND = "\3";
    private static final int SHOWN_MAX = 200;
    private static final Pattern LAST_ACKNOWLEDGEMENT = Pattern.compile("NAK|ACK [0-9a-f]{40}");

    private final InputStream body;
    private final PacketReader packets;
    private long words;
    private int lines;
    private boolean isShallow;

    PackAnswer(InputStream body) {
        this.body = body;
        this.packets = new PacketReader(body);
    }

    /// The pack, to its end.
    ///
    /// @throws Complained if the server does; also while the pack is read
    InputStream open(Greeting greeting) throws IOException {
        if (greeting.isVersion2()) {
            passSections();
        } else {
            passAcknowledgements();
        }
        return Requests.hasBands(greeting) ? new BandReader(body, this) : body;
    }

    /// Whether the server said that its history is cut off.
    boolean isShallow() {
        return isShallow;
    }

    private void passSections() throws IOException {
        while (true) {
            var section = nextLine();
            switch (section) {
                case "packfile" -> {
                    return;
                }
                case "acknowledgments", "shallow-info" -> pass();
                default -> throw new BrokenPacket("the answer has a part that nobody asked for");
            }
        }
    }

    private void pass() throws IOException {
        for (var packet = packets.next(); !(packet instanceof Packet.Delimiter); packet = packets.next()) {
            isShallow |= require(packet).startsWith("shallow ");
        }
    }

    /// Some servers refuse in a band, although none has begun.
    private void passAcknowledgements() throws IOException {
        for (var line = nextLine(); !LAST_ACKNOWLEDGEMENT.matcher(line).matches(); line = nextLine()) {
            if (line.startsWith(WORDS_BAND) || line.startsWith(ERROR_BAND)) {
                throw new Complained(PacketReader.utf8(line.substring(1)));
            }
            // else another thing we have in common
        }
    }

    private String nextLine() throws IOException {
        return require(packets.next());
    }

    private String require(Packet packet) throws IOException {
        if (++lines > LINES_MAX) {
            throw new VisitFailed(new Fault.Hostile("more than " + LINES_MAX + " lines before the pack"));
        }
        return Greeting.require(packet);
    }

    @Override
    public void progress(String said) throws VisitFailed {
        words += said.length() + PACKET;
        if (words > WORDS_MAX) {
            throw new VisitFailed(new Fault.Hostile("more than " + WORDS_MAX + " bytes of words beside the pack"));
        }
        LOG.debug("remote says words={}", said.length() > SHOWN_MAX ? said.substring(0, SHOWN_MAX) : said);
    }

    @Override
    public void error(String said) throws Complained {
        throw new Complained(said);
    }
}
