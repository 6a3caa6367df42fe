package dev.grapnel.bench.load;

import java.util.List;

/// What a relay can say.
enum AnswerType {
    EVENT("EVENT"),
    EOSE("EOSE"),
    OK("OK"),
    CLOSED("CLOSED"),
    NOTICE("NOTICE"),
    AUTH("AUTH"),
    NEG_MSG("NEG-MSG"),
    NEG_ERR("NEG-ERR"),
    OTHER("");

    private static final List<AnswerType> ALL = List.of(values());

    private final String label;

    AnswerType(String label) {
        this.label = label;
    }

    /// The type of this label; the frequent ones are found first.
    static AnswerType of(byte[] in, int from, int to) {
        for (var type : ALL) {
            if (type.isNamed(in, from, to)) {
                return type;
            }
        }
        return OTHER;
    }

    private boolean isNamed(byte[] in, int from, int to) {
        if (to - from != label.length()) {
            return false;
        }
        int same = 0;
        while (same < label.length() && in[from + same] == label.charAt(same)) {
            same++;
        }
        return same == label.length();
    }
}
