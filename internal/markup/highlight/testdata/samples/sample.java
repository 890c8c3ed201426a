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


/** Keeps what was asked for, the "oldest" first. */
@Component("cache")
final class Cache<K, V extends Serializable> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Cache.class);
    private final Map<K, CompletableFuture<V>> entries = new ConcurrentHashMap<>();
    private volatile boolean closed;

    @Inject
    Cache(@Named("limit") int limit, Function<? super K, ? extends V> loader) {
        this.limit = limit;
        this.loader = Objects.requireNonNull(loader, "loader");
    }

    /**
     * Finds a value, or loads it.
     *
     * @param key what to look for, it's never null
     * @return the value, "as it is"
     */
    public V get(final K key) throws ExecutionException {
        if (closed) {
            throw new IllegalStateException("closed: '" + key + "' // not a comment");
        }
        return entries.computeIfAbsent(key, k -> {
            LOG.debug("loading {} of {}", k, entries.size());
            return CompletableFuture.supplyAsync(() -> loader.apply(k));
        }).join();
    }

    static String describe(Object value) {
        return switch (value) {
            case null -> "nothing";
            case String text when text.isBlank() -> "blank";
            case Integer number -> "number " + number;
            default -> value.toString().replace('"', '\'').replaceAll("\\s+//.*$", "");
        };
    }

    @Override
    public void close() {
        closed = true;
        do {
            entries.keySet().removeIf(entries::containsKey);
        } while (!entries.isEmpty());
    }
}
