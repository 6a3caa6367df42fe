package dev.grapnel.server.web;

import java.util.ArrayList;
import java.util.List;

/// HTML that is well-formed because nothing else can be made: text and attribute values are always escaped,
/// names are written in our own code.
sealed interface Markup {
    /// Words that are shown as they are, whatever they hold.
    record Text(String words) implements Markup {}

    /// A tag and what is in it.
    ///
    /// @param attributes names and values in turn
    record Element(String name, List<String> attributes, List<Markup> children) implements Markup {
        public Element {
            attributes = List.copyOf(attributes);
            children = List.copyOf(children);
        }

        /// The same with one attribute more.
        Element with(String attribute, String value) {
            var more = new ArrayList<>(attributes);
            more.add(attribute);
            more.add(value);
            return new Element(name, more, children);
        }
    }

    /// Our own style sheet, the only text that is not escaped: HTML reads no escapes there.
    record Style(String css) implements Markup {}

    static Markup text(String words) {
        return new Text(words);
    }

    static Element element(String name, Markup... children) {
        return new Element(name, List.of(), List.of(children));
    }

    static Element element(String name, List<Markup> children) {
        return new Element(name, List.of(), children);
    }

    static Element element(String name, String words) {
        return element(name, text(words));
    }

    /// A link if the address is of a kind that only leads somewhere; otherwise the words alone, because a
    /// browser runs some addresses.
    static Markup link(String address, String words) {
        return address.matches("(?is)(https?://|mailto:|nostr:|/).*")
                ? element("a", words).with("href", address)
                : text(words);
    }

    /// Writes it.
    default void write(StringBuilder out) {
        switch (this) {
            case Text(var words) -> escape(words, out);
            case Style(var css) -> out.append("<style>").append(css).append("</style>");
            case Element element -> writeElement(element, out);
        }
    }

    private static void writeElement(Element element, StringBuilder out) {
        out.append('<').append(element.name());
        for (int i = 0; i < element.attributes().size(); i += 2) {
            out.append(' ').append(element.attributes().get(i)).append("=\"");
            escape(element.attributes().get(i + 1), out);
            out.append('"');
        }
        out.append('>');
        if (!isVoid(element.name())) {
            element.children().forEach(child -> child.write(out));
            out.append("</").append(element.name()).append('>');
        }
    }

    private static boolean isVoid(String name) {
        return List.of("meta", "link", "img", "br").contains(name);
    }

    private static void escape(String words, StringBuilder out) {
        words.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isShown(c) ? c : 0xfffd);
            }
        });
    }

    /// HTML has no other control characters, and half of a pair is no character.
    private static boolean isShown(int c) {
        boolean isControl = Character.isISOControl(c) && c != '\n' && c != '\t';
        return !isControl && !(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
