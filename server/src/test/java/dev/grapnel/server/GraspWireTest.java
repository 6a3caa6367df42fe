package dev.grapnel.server;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// For tests that talk to a server of their own, with usual settings, over one connection.
abstract class GraspWireTest {
    final GraspUnderTest server = GraspUnderTest.start();
    RelayClient client;

    @BeforeEach
    final void connect() throws IOException {
        client = server.connect();
    }

    @AfterEach
    final void end() throws IOException {
        client.close();
        server.close();
    }
}
