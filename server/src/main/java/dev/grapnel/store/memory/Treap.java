package dev.grapnel.store.memory;

import java.util.ArrayDeque;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// An immutable sorted map: every change makes a new one that shares most nodes with the old. A binary search
/// tree by keys that is a heap by random priorities, which keeps it balanced whatever strangers choose as keys.
final class Treap<K, V> {
    private final Comparator<K> order;
    private final @Nullable Node<K, V> root;

    private Treap(Comparator<K> order, @Nullable Node<K, V> root) {
        this.order = order;
        this.root = root;
    }

    private record Node<K, V>(
            K key,
            V value,
            int priority,
            @Nullable Node<K, V> left,
            @Nullable Node<K, V> right,
            int size) {
        Node<K, V> with(@Nullable Node<K, V> newLeft, @Nullable Node<K, V> newRight) {
            return new Node<>(key, value, priority, newLeft, newRight, 1 + count(newLeft) + count(newRight));
        }

        Node<K, V> with(V newValue) {
            return new Node<>(key, newValue, priority, left, right, size);
        }
    }

    /// Two halves of a tree.
    private record Halves<K, V>(
            @Nullable Node<K, V> left, @Nullable Node<K, V> right) {}

    static <K, V> Treap<K, V> empty(Comparator<K> order) {
        return new Treap<>(order, null);
    }

    private static int count(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.size();
    }

    int size() {
        return count(root);
    }

    @Nullable
    V find(K key) {
        var node = root;
        while (node != null) {
            int sign = order.compare(key, node.key());
            if (sign == 0) {
                return node.value();
            }
            node = sign < 0 ? node.left() : node.right();
        }
        return null;
    }

    /// How many keys come before this one.
    int countBefore(K key) {
        int before = 0;
        var node = root;
        while (node != null) {
            if (order.compare(node.key(), key) < 0) {
                before += 1 + count(node.left());
                node = node.right();
            } else {
                node = node.left();
            }
        }
        return before;
    }

    Treap<K, V> with(K key, V value, int priority) {
        return new Treap<>(order, put(root, key, value, priority));
    }

    Treap<K, V> without(K key) {
        return find(key) == null ? this : new Treap<>(order, remove(root, key));
    }

    private Node<K, V> put(@Nullable Node<K, V> node, K key, V value, int priority) {
        if (node == null) {
            return new Node<>(key, value, priority, null, null, 1);
        }
        int sign = order.compare(key, node.key());
        if (sign == 0) {
            return node.with(value);
        }
        if (priority > node.priority() && find(node, key) == null) {
            var halves = split(node, key);
            return new Node<K, V>(key, value, priority, null, null, 1).with(halves.left(), halves.right());
        }
        return sign < 0
                ? node.with(put(node.left(), key, value, priority), node.right())
                : node.with(node.left(), put(node.right(), key, value, priority));
    }

    private @Nullable Node<K, V> find(Node<K, V> from, K key) {
        @Nullable Node<K, V> node = from;
        while (node != null) {
            int sign = order.compare(key, node.key());
            if (sign == 0) {
                return node;
            }
            node = sign < 0 ? node.left() : node.right();
        }
        return null;
    }

    private Halves<K, V> split(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return new Halves<>(null, null);
        }
        if (order.compare(node.key(), key) < 0) {
            var halves = split(node.right(), key);
            return new Halves<>(node.with(node.left(), halves.left()), halves.right());
        }
        var halves = split(node.left(), key);
        return new Halves<>(halves.left(), node.with(halves.right(), node.right()));
    }

    private @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return null;
        }
        int sign = order.compare(key, node.key());
        if (sign == 0) {
            return join(node.left(), node.right());
        }
        return sign < 0
                ? node.with(remove(node.left(), key), node.right())
                : node.with(node.left(), remove(node.right(), key));
    }

    private static <K, V> @Nullable Node<K, V> join(@Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        return left.priority() > right.priority()
                ? left.with(left.left(), join(left.right(), right))
                : right.with(join(left, right.left()), right.right());
    }

    /// The entries at and after a key, ascending.
    Walk<K, V> walk(K from) {
        return new Walk<>(this, from);
    }

    /// A walk through entries.
    static final class Walk<K, V> {
        private final Treap<K, V> treap;
        private final ArrayDeque<Node<K, V>> path = new ArrayDeque<>();

        Walk(Treap<K, V> treap, K from) {
            this.treap = treap;
            seek(from);
        }

        /// Starts anew at a key.
        void seek(K from) {
            path.clear();
            var node = treap.root;
            while (node != null) {
                if (treap.order.compare(node.key(), from) < 0) {
                    node = node.right();
                } else {
                    path.push(node);
                    node = node.left();
                }
            }
        }

        boolean isDone() {
            return path.isEmpty();
        }

        K key() {
            return path.element().key();
        }

        V value() {
            return path.element().value();
        }

        void next() {
            var node = path.pop().right();
            while (node != null) {
                path.push(node);
                node = node.left();
            }
        }
    }
}
