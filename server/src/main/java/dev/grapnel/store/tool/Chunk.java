package dev.grapnel.store.tool;

import dev.grapnel.store.row.InputPlace;

/// A piece of the input that travels as one.
sealed interface Chunk {
    /// How many bytes of the input it is.
    long bytes();

    /// The place behind it.
    InputPlace end();

    /// Whole lines.
    final class Lines implements Chunk {
        private final String source;
        private final long firstLine;
        private final byte[] text;
        private final int length;
        private final InputPlace end;

        /// @param text whose first bytes are the lines; nobody else may touch it any more
        Lines(String source, long firstLine, byte[] text, int length, InputPlace end) {
            this.source = source;
            this.firstLine = firstLine;
            this.text = text;
            this.length = length;
            this.end = end;
        }

        /// Receives one line.
        @FunctionalInterface
        interface Visitor {
            void line(long number, byte[] text, int from, int to);
        }

        String source() {
            return source;
        }

        @Override
        public long bytes() {
            return length;
        }

        @Override
        public InputPlace end() {
            return end;
        }

        /// Shows each line that is not blank, without its end.
        void forEach(Visitor visitor) {
            long number = firstLine;
            int from = 0;
            while (from < length) {
                int to = from;
                while (to < length && text[to] != '\n') {
                    to++;
                }
                if (!isBlank(from, to)) {
                    visitor.line(number, text, from, text[to - 1] == '\r' ? to - 1 : to);
                }
                number++;
                from = to + 1;
            }
        }

        private boolean isBlank(int from, int to) {
            for (int i = from; i < to; i++) {
                if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') {
                    return false;
                }
            }
            return true;
        }
    }

    /// A line that is too long to be held in memory.
    record TooLong(String source, long line, long bytes, InputPlace end) implements Chunk {}
}
