package dev.grapnel.server.ops;

import java.util.List;

/// The text format of Prometheus, sample by sample.
final class SampleText {
    private final StringBuilder out;

    /// What kind of number it is, in the words of Prometheus.
    enum Type {
        COUNTER("counter"),
        GAUGE("gauge");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    SampleText(StringBuilder out) {
        this.out = out;
    }

    /// Begins the samples of one name.
    void head(Type type, String name, String help) {
        out.append("# HELP ").append(name).append(' ').append(escapeHelp(help));
        out.append("\n# TYPE ").append(name).append(' ').append(type.word).append('\n');
    }

    /// @param labels names and values in turn
    void sample(String name, List<String> labels, double value) {
        out.append(name);
        for (int i = 0; i < labels.size(); i += 2) {
            out.append(i == 0 ? "{" : ",").append(labels.get(i));
            out.append("=\"").append(escapeLabel(labels.get(i + 1))).append('"');
        }
        out.append(labels.isEmpty() ? "" : "}").append(' ').append(text(value)).append('\n');
    }

    private static String escapeHelp(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String escapeLabel(String text) {
        return escapeHelp(text).replace("\"", "\\\"");
    }

    private static String text(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < 1L << 53;
        return isWhole ? Long.toString((long) value) : Double.toString(value);
    }
}
