package highlight

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
)

// ownScanners returns the names of our scanners, each once, in order.
func ownScanners() (names []string) {
	for name := range scanners {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hostile are texts that open something that is never closed, or close something that was never opened, in some
// language.
var hostile = []string{
	`"`, "'", "`", "/*", "*/", "//", "#", "<", "</", "<!--", "<a", "<a ", "<a b=", "<script>", "<?", "&", "${", "$(",
	"$((", "#{", `\(`, "`${", `"${`, `"$(`, `f"{`, `$"{`,
	"{", "}", "(", ")", "[", "]", "[a](", "[[", "``", "```\n", "`a``b", "~~~\n", "<<A\n", "<<A <<B <<C ", "<<-'A'\n",
	"<<<A\n", "<<~A\n", `r#"`, `R"(`, `R"x(`, `@"`, `"""`, "'''",
	"/[", "/a", "/ ", "=/", "(/", "a /", "%w[", "%(", "=begin\n", "#if 0\n", "#if 0\n#if\n", "#[", "'a", "\\", "\\\n",
	" ", "\t", "\n", " \n", "a ", "a(", "a.", ".", "1", "1.", "1e+", "0x", ":", "::", "->", "$", "@", "@media ", "url(",
	": ", "- ", "? ", "a: |\n", "a:\n ", "&a", "*a", "!", ">", "> ", "|", "=", "a=", "\n[", "\n[a,\n", ";", "case ",
	"match ", "<<", "/", "?>", "<?php ?>", "ONBUILD ", "RUN a\\\n", "$(($((", "\x00", "\xff", "\xf0\x9f", "é", "\r",
	"return <a>{", "<>{<>", "--", "--[[",
}

// TestScannersAreLinear: the time of a scanner is linear in the size of its input, also for hostile text. Quadratic
// time would exceed the limit a hundred times on any machine. Only the CPU time of this thread counts.
func TestScannersAreLinear(t *testing.T) {
	large := 1 << 17
	if corpus.Full() {
		large = 1 << 20
	}
	for _, name := range ownScanners() {
		for _, unit := range hostile {
			checkCost(t, name, unit, maxBlock/2, 250*time.Millisecond)
		}
		for _, unit := range []string{`"`, "/*", "<", "${", "`", "<<A\n", "'"} {
			checkCost(t, name, unit, large, time.Duration(large)*2*time.Microsecond)
		}
	}
}

func checkCost(t *testing.T, name, unit string, size int, most time.Duration) {
	t.Helper()
	src := strings.Repeat(unit, size/len(unit))
	runtime.LockOSThread() // so that the time of the thread is that of the scanner
	defer runtime.UnlockOSThread()
	var best time.Duration
	for range 3 {
		last, calls := 0, 0
		start := threadTime()
		scanners[name](src, func(_ byte, end int) { last = max(last, end); calls++ })
		if d := threadTime() - start; best == 0 || d < best {
			best = d
		}
		if last > len(src) {
			t.Errorf("%s: %q: a span ends at %d, after the end at %d", name, unit, last, len(src))
		}
		if calls > 4*len(src)+8 {
			t.Errorf("%s: %q: got %d spans for %d bytes", name, unit, calls, len(src))
		}
		if best < most {
			return
		}
	}
	t.Logf("%s: %d bytes of %q took %v", name, len(src), unit, best) // only logged, because other programs change it
}

// TestScannersOnParts checks the promises of scanners on all prefixes of the samples, which end inside of open
// constructs.
func TestScannersOnParts(t *testing.T) {
	for _, file := range samples(t) {
		src := read(t, file)
		scan := Lookup(filepath.Base(file)).scan
		for n := 0; n <= len(src); n += 1 + n/40 {
			for _, part := range []string{src[:n], src[n:]} {
				checkScanner(t, filepath.Base(file), scan, part)
			}
		}
	}
}

func checkScanner(t *testing.T, name string, scan scanner, src string) {
	t.Helper()
	last := 0
	scan(src, func(class byte, end int) {
		if end < last || end > len(src) {
			t.Fatalf("%s: a span ends at %d, the one before at %d, the text at %d: %q", name, end, last, len(src), src)
		}
		last = end
		if class != 0 && strings.IndexByte("kscnftphid", class) < 0 {
			t.Fatalf("%s: unknown class %q in %q", name, class, src)
		}
	})
}

// checkSpans checks that the spans of src cover it, and are the same for each call.
func checkSpans(t *testing.T, language *Language, src string) {
	t.Helper()
	var spans []byte
	last := 0
	language.Spans(src, func(class byte, start, end int) {
		if start != last || end <= start {
			t.Fatalf("a span from %d to %d after one that ends at %d in %q", start, end, last, src)
		}
		last = end
		spans = append(fmt.Appendf(spans, "%d", end), class)
	})
	if last != len(src) {
		t.Fatalf("the spans end at %d, want %d in %q", last, len(src), src)
	}
	var again []byte
	language.Spans(src, func(class byte, _, end int) { again = append(fmt.Appendf(again, "%d", end), class) })
	if string(again) != string(spans) {
		t.Fatalf("a second call gives other spans in %q", src)
	}
	if n := Recovered(); n > 0 {
		t.Fatalf("%d panics of scanners, the last in %q", n, src)
	}
}

// clean removes from a text what Spans does not accept.
func clean(src string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(src, "\uFFFD"), "\r\n", "\n")
}

// lineStartBefore returns the end of the last complete line within n bytes.
func lineStartBefore(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	return strings.LastIndexByte(s[:n], '\n') + 1
}

// maxBlock is the most of a block that a scanner gets.
const maxBlock = 64 << 10

func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) < 20 {
		t.Fatal("found no samples, want at least 20")
	}
	return files
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func FuzzScanners(f *testing.F) {
	all := ownScanners()
	for i, file := range samples(f) {
		f.Add(read(f, file), uint8(i))
	}
	for i, s := range hostile {
		f.Add(strings.Repeat(s, 5), uint8(i))
	}
	f.Fuzz(func(t *testing.T, src string, lang uint8) {
		name := all[int(lang)%len(all)]
		src = clean(src)
		checkScanner(t, name, scanners[name], src)
		checkSpans(t, &Language{scanners[name]}, src)
	})
}

// TestScannersDoNotAllocate: scanning only allocates for nesting.
func TestScannersDoNotAllocate(t *testing.T) {
	for _, lang := range []string{"go", "python", "rust", "c", "java", "sql", "json"} {
		src := read(t, "testdata/samples/sample."+map[string]string{"python": "py", "rust": "rs"}[lang]+
			map[bool]string{true: lang}[lang != "python" && lang != "rust"])
		scan := Lookup(lang).scan
		scan(src, func(byte, int) {})
		if n := testing.AllocsPerRun(10, func() { scan(src, func(byte, int) {}) }); n > 4 {
			t.Errorf("%s: got %v allocations, want at most 4", lang, n)
		}
	}
}

func BenchmarkScanners(b *testing.B) {
	for _, file := range samples(b) {
		name := filepath.Base(file)
		src := read(b, file)
		src = src[:strings.LastIndexByte(strings.TrimSuffix(src, "\n"), '\n')+1] // without an incomplete last line
		src = strings.Repeat(src, 60<<10/len(src))
		b.Run(name+"/own", func(b *testing.B) { benchScanner(b, Lookup(name).scan, src) })
		b.Run(name+"/chroma", func(b *testing.B) {
			benchScanner(b, chromaLanguages()[strings.TrimPrefix(filepath.Ext(name), ".")].scan, src)
		})
	}
}

func benchScanner(b *testing.B, scan scanner, src string) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		scan(src, func(byte, int) {})
	}
}

// TestScannersOnMixtures checks the promises of scanners on random mixtures of parts of the samples and of hostile
// texts.
func TestScannersOnMixtures(t *testing.T) {
	var sources []string
	for _, file := range samples(t) {
		sources = append(sources, read(t, file))
	}
	r := rand.New(rand.NewPCG(1, 2))
	all := ownScanners()
	for range 30_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			if r.IntN(2) == 0 {
				b.WriteString(hostile[r.IntN(len(hostile))])
				continue
			}
			s := sources[r.IntN(len(sources))]
			i := r.IntN(len(s))
			b.WriteString(s[i:min(len(s), i+r.IntN(40))])
		}
		name := all[r.IntN(len(all))]
		checkScanner(t, name, scanners[name], clean(b.String()))
	}
}

// TestScannersShareNoState: related languages share their delimiters, and two goroutines may initialize them at the
// same time, so initializing may not write shared data.
func TestScannersShareNoState(t *testing.T) {
	for _, g := range []*grammar{&javascript, &typescript, &tsx, &c, &cpp, &python, &golang} {
		g.compile()
		for _, all := range append(slices.Collect(maps.Values(g.prefixes)), g.delims) {
			for _, d := range all {
				if d.stops != nil {
					t.Errorf("initializing a language writes to the shared delimiter %q", d.open)
				}
			}
		}
	}
}
