/* License: "quotes", it's fine */
package com.example.app;

import java.util.List;
import static java.util.Map.entry;

/**
 * Javadoc with {@code "code"} and 'quotes'.
 */
@SuppressWarnings("unchecked")
public class Sample<T extends Comparable<T>> extends Base implements Runnable {
    private static final int MAX = 1_000, HEX = 0xFF;
    private final String name = "a // not a comment \"x\"";
    protected long count = 10L;
    double ratio = 1.5e-3, half = .5f;
    char quote = '\'', back = '\\', plain = 'x', uni = '\u0041';

    public Sample(String name) {
        super(name);
        this.count = 0;
    }

    @Override
    public void run() {
        // a comment with "quotes"
        for (int i = 0; i < MAX; i++) {
            if (i % 2 == 0 && name != null) continue;
            System.out.println("i = " + i);
        }
    }

    public static <K, V> Map<K, V> of(K key, V value) throws IOException {
        var map = new HashMap<K, V>();
        map.put(key, value);
        String text = """
            A text block with "quotes"
            // not a comment
            """;
        try (var in = new FileReader("x")) {
            switch (key.hashCode()) {
                case 1: break;
                default: return null;
            }
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("bad", e);
        } finally {
            synchronized (this) { map.clear(); }
        }
        List<String> list = items.stream().filter(x -> x.length() > 3).map(String::trim).toList();
        int[] array = {1, 2, 3};
        boolean ok = list instanceof ArrayList && true;
        return ok ? map : null;
    }

    enum Color { RED, GREEN }
    interface Shape { double area(); }
    record Point(int x, int y) {}
}
