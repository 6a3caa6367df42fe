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

    /// @param labels names and values in turn
    private record Figure(SampleText.Type type, String help, List<String> labels, DoubleSupplier value) {}

    /// @throws IllegalArgumentException if the name is none, or taken
    void add(SampleText.Type type, String name, String help, List<String> labels, DoubleSupplier value) {
        if (!name.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("not the name of a figure: " + name);
        }
        if (figures.putIfAbsent(name, new Figure(type, help, List.copyOf(labels), value)) != null) {
            throw new IllegalArgumentException("there are two figures named " + name);
        }
    }

    /// Writes them in the order of their names. One that cannot be told now (NaN) is left out.
    void write(StringBuilder out) {
        var text = new SampleText(out);
        figures.forEach((name, figure) -> {
            double value = valueOf(name, figure);
            if (!Double.isNaN(value)) {
                text.head(figure.type(), name, figure.help());
                text.sample(name, figure.labels(), value);
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
}
