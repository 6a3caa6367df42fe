package dev.grapnel.bench.load.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameTest {
    private final List<String> got = new ArrayList<>();

    private FrameReader reader(Side from, @Nullable Inflation inflation) {
        return new FrameReader(from, inflation, new FrameReader.Sink() {
            @Override
            public void message(byte[] in, int start, int end) {
                got.add(text(in, start, end));
            }

            @Override
            public void ping(byte[] in, int start, int end) {
                got.add("ping " + text(in, start, end));
            }

            @Override
            public void closing(String reason) {
                got.add(reason);
            }
        });
    }

    private static String text(byte[] in, int start, int end) {
        return new String(in, start, end - start, StandardCharsets.UTF_8);
    }

    private static byte[] written(Outbox out) throws IOException {
        var bytes = new ByteArrayOutputStream();
        while (!out.isEmpty()) {
            out.writeTo(Channels.newChannel(bytes));
        }
        return bytes.toByteArray();
    }

    private static void put(Outbox out, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        out.begin(Opcode.TEXT, bytes.length);
        out.put(bytes);
        out.seal();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    @ParameterizedTest
    @EnumSource
    void messagesOfEveryLengthComeBack(Side side) throws IOException {
        var out = new Outbox(side, 0x12345678);
        var sent = new ArrayList<String>();
        for (int length : new int[] {0, 1, 7, 8, 9, 125, 126, 127, 65_535, 65_536, 700_000}) {
            sent.add("x".repeat(length));
            put(out, sent.getLast());
        }
        var bytes = written(out);
        assertEquals(bytes.length, reader(side, null).read(bytes, 0, bytes.length));
        assertEquals(sent, got);
    }

    @Test
    void frameIsReadOnceItIsWhole() throws IOException {
        var out = new Outbox(Side.CLIENT, 0x0a0b0c0d);
        put(out, "first");
        put(out, "y".repeat(200));
        var bytes = written(out);
        int firstEnd = 2 + 4 + 5;
        for (int end = 0; end < bytes.length; end++) {
            got.clear();
            var copy = bytes.clone();
            assertEquals(
                    end < firstEnd ? 0 : firstEnd, reader(Side.CLIENT, null).read(copy, 0, end));
            assertEquals(end < firstEnd ? 0 : 1, got.size());
        }
    }

    /// The samples of RFC 6455, section 5.7.
    @Test
    void samplesOfTheStandardAreRead() throws IOException {
        var plain = hex("81 05 48 65 6c 6c 6f");
        reader(Side.SERVER, null).read(plain, 0, plain.length);
        var masked = hex("81 85 37 fa 21 3d 7f 9f 4d 51 58");
        reader(Side.CLIENT, null).read(masked, 0, masked.length);
        var fragmentsAroundPing = hex("01 03 48 65 6c 89 05 48 65 6c 6c 6f 80 02 6c 6f");
        reader(Side.SERVER, null).read(fragmentsAroundPing, 0, fragmentsAroundPing.length);
        assertEquals(List.of("Hello", "Hello", "ping Hello", "Hello"), got);
    }

    /// The samples of RFC 7692, section 7.2.3.
    @Test
    void compressedSamplesOfTheStandardAreRead() throws IOException {
        try (var inflation = new Inflation(false)) {
            var reader = reader(Side.SERVER, inflation);
            for (var frame : List.of(
                    "c1 07 f2 48 cd c9 c9 07 00",
                    "c1 05 f2 00 11 00 00",
                    "41 03 f2 00 11 80 02 00 00",
                    "c1 0b 00 05 00 fa ff 48 65 6c 6c 6f 00")) {
                reader.read(hex(frame), 0, hex(frame).length);
            }
        }
        assertEquals(List.of("Hello", "Hello", "Hello", "Hello"), got);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void compressedMessagesComeBackWithAndWithoutContext(boolean forgets) throws IOException {
        var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try (var inflation = new Inflation(forgets)) {
            var reader = reader(Side.SERVER, inflation);
            for (int i = 0; i < 20; i++) {
                var text = ("message " + i + " ").repeat(1 + i * 500);
                var packed = deflated(deflater, text);
                var frame = new ByteArrayOutputStream();
                frame.write(0xc1);
                frame.write(127);
                frame.write(new byte[4]);
                frame.write(
                        new byte[] {0, (byte) (packed.length >> 16), (byte) (packed.length >> 8), (byte) packed.length
                        });
                frame.write(packed);
                reader.read(frame.toByteArray(), 0, frame.size());
                assertEquals(text, got.getLast());
                if (forgets) {
                    deflater.reset();
                }
            }
        } finally {
            deflater.end();
        }
    }

    private static byte[] deflated(Deflater deflater, String text) {
        deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
        var room = new byte[2 * text.length() + 100];
        int length = deflater.deflate(room, 0, room.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(room, length - 4);
    }

    @Test
    void closingTellsItsReason() throws IOException {
        var frame = hex("88 06 03 e8 6e 6f 70 65");
        reader(Side.SERVER, null).read(frame, 0, frame.length);
        var bare = hex("88 00");
        reader(Side.SERVER, null).read(bare, 0, bare.length);
        assertEquals(List.of("closed with 1000 nope", "closed"), got);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "81 80 00 00 00 00", // a server must not mask
                "91 00", // reserved bit
                "c1 00", // compressed without agreement
                "80 00", // continuation of nothing
                "01 01 61 01 01 61", // a message inside another
                "83 00", // unknown opcode
                "81 7f 80 00 00 00 00 00 00 00", // negative length
                "81 7f 00 00 00 01 00 00 00 00" // 4 GiB
            })
    void nonsenseEndsTheConnection(String frame) {
        var bytes = hex(frame);
        assertThrows(IOException.class, () -> reader(Side.SERVER, null).read(bytes, 0, bytes.length));
    }

    @Test
    void handshakeIsThatOfTheStandard() throws IOException {
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", Handshake.accept("dGhlIHNhbXBsZSBub25jZQ=="));
        var request = text(Handshake.request(new RelayUrl("h", 80, "/"), true));
        var response = text(Handshake.response(request));
        assertEquals(new Handshake.Agreement(false, false), Handshake.agreement(response, false));
        assertThrows(IOException.class, () -> Handshake.agreement(response, true));
        var compressing = response.replace(
                "\r\n\r\n", "\r\nsec-websocket-extensions: permessage-deflate; server_no_context_takeover\r\n\r\n");
        assertEquals(new Handshake.Agreement(true, true), Handshake.agreement(compressing, true));
        assertThrows(IOException.class, () -> Handshake.agreement("HTTP/1.1 503 No\r\n\r\n", false));
    }

    private static String text(byte[] bytes) {
        return text(bytes, 0, bytes.length);
    }
}
