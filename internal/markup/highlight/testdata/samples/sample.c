/* Sample: "quotes" in a comment, it's fine
 * // with a line comment in it
 */
#include <stdio.h>
#include "local.h" // trailing "comment"
#define MAX(a, b) ((a) > (b) ? (a) : (b)) /* macro */
#define LONG_MACRO(x) do { \
	printf("%d\n", (x)); \
} while (0)
#ifdef DEBUG
#  define LOG(...) fprintf(stderr, __VA_ARGS__)
#endif

#if 0
this is "left out", it's never compiled
#if 1
nested
#endif
#endif

typedef struct node {
	struct node *next;
	uint32_t value;
	const char *name;
} node_t;

enum color { RED = 1, GREEN = 0x0f, BLUE = 077 };

static int counter = 0;
static const double pi = 3.14159e+0, half = .5f, big = 1e10;
extern unsigned long long total;

static inline int add(int a, int b)
{
	return a + b; // it's "simple"
}

node_t *make_node(const char *name, size_t len)
{
	node_t *n = malloc(sizeof(*n) + len);
	if (n == NULL || !name) {
		perror("malloc: // not a comment");
		return NULL;
	}
	n->name = strdup(name);
	char quote = '\'', back = '\\', dq = '"', nl = '\n', hex = '\x41';
	wchar_t *wide = L"wide \"string\"";
	printf("%s /* no */ %d%%\n", n->name, 10UL / 2);
	for (int i = 0; i < MAX(3, 4); i++) {
		switch (i % 3) {
		case 0: continue;
		case 1:
			goto done;
		default:
			break;
		}
	}
done:
	while (n->next) n = n->next;
	do { counter++; } while (counter < 10);
	return n;
}

int main(int argc, char **argv)
{
	float f = 1.0f;
	int mask = 0xFFu << 2 | ~1;
	const char *joined = "one "
		"two" "three";
	(void)f; (void)mask;
	bool ok = true;
	return ok ? 0 : add(argc, -1);
}
/**
 * Reads a line of any length.
 * @param in  where from; "r" mode
 * @return    bytes read, -1 at the end
 */
static ssize_t read_line(FILE *restrict in, char **line, size_t *cap)
{
	size_t n = 0;
	int c;

	assert(line != NULL && cap != NULL); /* it's the caller's */
	while ((c = getc(in)) != EOF && c != '\n') {
		if (n + 1 >= *cap) {
			size_t more = *cap ? *cap * 2u : 64;
			char *p = realloc(*line, more * sizeof **line);
			if (!p)
				return -1;
			*line = p, *cap = more;
		}
		(*line)[n++] = (char)c;
	}
	if (c == EOF && n == 0)
		return -1;
	(*line)[n] = '\0';
	return (ssize_t)n;
}

#if defined(__GNUC__) && __GNUC__ >= 4 \
	&& !defined(NO_ATTRIBUTES)
# define NORETURN __attribute__((noreturn))
#else
# define NORETURN
#endif

union number {
	int64_t i : 48;
	volatile double d;
	unsigned char bytes[sizeof(int64_t)];
};

static const struct option {
	const char *name, *help;
	int (*run)(int argc, char *const argv[]);
} options[] = {
	{ .name = "help", .help = "print \"this\" /* text */", .run = &usage },
	{ "version", "it's 1.0 // not more\n", NULL },
	{ 0 },
};

NORETURN void fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	exit(EXIT_FAILURE);
}
/* not closed "here"
