package dev.grapnel.server.ops;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Figures that are asked for when somebody reads them, each written under exactly the name it was given.
///
/// The registry's library knows better about names: it adds `_total` to every counter and takes it, and
/// `_info`, from every gauge. Dashboards know the names of service 11, so these figures are written here.
final class Figures {
    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);

    private final Map<String, Figure> figures = new ConcurrentSkipListMap<>();

    /// What kind of number it is, in the words of Prometheus.
    enum Type {
        COUNTER("counter"),
        GAUGE("gauge");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    /// @param labels names and values in turn
    private record Figure(Type type, String help, List<String> labels, DoubleSupplier value) {}

    /// @throws IllegalArgumentException if the name is none, or taken
    void add(Type type, String name, String help, List<String> labels, DoubleSupplier value) {
        if (!name.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("not the name of a figure: " + name);
        }
        if (figures.putIfAbsent(name, new Figure(type, help, List.copyOf(labels), value)) != null) {
            throw new IllegalArgumentException("there are two figures named " + name);
        }
    }

    /// Writes them in the order of their names. One that cannot be told now (NaN) is left out.
    void write(StringBuilder out) {
        figures.forEach((name, figure) -> {
            double value = valueOf(name, figure);
            if (!Double.isNaN(value)) {
                out.append("# HELP ").append(name).append(' ').append(escapeHelp(figure.help()));
                out.append("\n# TYPE ").append(name).append(' ').append(figure.type().word);
                out.append('\n').append(name);
                writeLabels(figure.labels(), out);
                out.append(' ').append(text(value)).append('\n');
            }
        });
    }

    /// A part that cannot tell its figure must not hide those of all others.
    private static double valueOf(String name, Figure figure) {
        try {
            return figure.value().getAsDouble();
        } catch (RuntimeException e) {
            LOG.warn("figure left out name={}", name, e);
            return Double.NaN;
        }
    }

    private static void writeLabels(List<String> labels, StringBuilder out) {
        for (int i = 0; i < labels.size(); i += 2) {
            out.append(i == 0 ? "{" : ",").append(labels.get(i));
            out.append("=\"").append(escapeLabel(labels.get(i + 1))).append('"');
        }
        out.append(labels.isEmpty() ? "" : "}");
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
