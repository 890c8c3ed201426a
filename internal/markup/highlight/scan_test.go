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

// ownScanners are our scanners by name, each once, in order.
func ownScanners() (names []string) {
	for name := range scanners {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hostile is what opens something that nothing closes, or closes what nothing
// opened, in one language or another.
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

// The time of a scanner is in proportion to its input: of what is hostile, as
// much as is highlighted takes no longer than a blink, and much more of what
// opens something not much more. What is squared takes a hundred times as long as
// that, on any machine, and what others do on it does not count.
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
	runtime.LockOSThread() // whose time it is
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
			t.Errorf("%s: %q: a span ends at %d of %d", name, unit, last, len(src))
		}
		if calls > 4*len(src)+8 {
			t.Errorf("%s: %q: %d spans for %d bytes", name, unit, calls, len(src))
		}
		if best < most {
			return
		}
	}
	t.Logf("%s: %d bytes of %q took %v", name, len(src), unit, best) // said, and not held against a busy machine
}

// What scanners promise, on all prefixes of the samples: the ends of what is
// open are there.
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
			t.Fatalf("%s: a span ends at %d after %d of %d in %q", name, end, last, len(src), src)
		}
		last = end
		if class != 0 && strings.IndexByte("kscnftphid", class) < 0 {
			t.Fatalf("%s: class %q in %q", name, class, src)
		}
	})
}

// checkSpans checks that the spans of src cover it, and are the same at each try.
func checkSpans(t *testing.T, language *Language, src string) {
	t.Helper()
	var spans []byte
	last := 0
	language.Spans(src, func(class byte, start, end int) {
		if start != last || end <= start {
			t.Fatalf("a span from %d to %d behind %d in %q", start, end, last, src)
		}
		last = end
		spans = append(fmt.Appendf(spans, "%d", end), class)
	})
	if last != len(src) {
		t.Fatalf("spans end at %d of %d in %q", last, len(src), src)
	}
	var again []byte
	language.Spans(src, func(class byte, _, end int) { again = append(fmt.Appendf(again, "%d", end), class) })
	if string(again) != string(spans) {
		t.Fatalf("the second time differs in %q", src)
	}
	if n := Recovered(); n > 0 {
		t.Fatalf("%d panics of scanners, the last in %q", n, src)
	}
}

// clean makes of any text what Spans takes.
func clean(src string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(src, "\uFFFD"), "\r\n", "\n")
}

// lineStartBefore is the end of the last whole line within n bytes.
func lineStartBefore(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	return strings.LastIndexByte(s[:n], '\n') + 1
}

// maxBlock is how much of a block is given to a scanner.
const maxBlock = 64 << 10

func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/samples/*")
	if err != nil || len(files) < 20 {
		t.Fatal("no samples")
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

// Scanning allocates what nests and nothing else.
func TestScannersDoNotAllocate(t *testing.T) {
	for _, lang := range []string{"go", "python", "rust", "c", "java", "sql", "json"} {
		src := read(t, "testdata/samples/sample."+map[string]string{"python": "py", "rust": "rs"}[lang]+
			map[bool]string{true: lang}[lang != "python" && lang != "rust"])
		scan := Lookup(lang).scan
		scan(src, func(byte, int) {})
		if n := testing.AllocsPerRun(10, func() { scan(src, func(byte, int) {}) }); n > 4 {
			t.Errorf("%s: %v allocations", lang, n)
		}
	}
}

func BenchmarkScanners(b *testing.B) {
	for _, file := range samples(b) {
		name := filepath.Base(file)
		src := read(b, file)
		src = src[:strings.LastIndexByte(strings.TrimSuffix(src, "\n"), '\n')+1] // without what is not closed
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

// What scanners promise, on what nobody wrote: parts of the samples and of
// what is hostile, in any order.
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

// Languages that are related share their delims, and two goroutines may make them ready at the same time: that writes
// nothing that both see.
func TestScannersAreMadeApart(t *testing.T) {
	for _, g := range []*grammar{&javascript, &typescript, &tsx, &c, &cpp, &python, &golang} {
		g.compile()
		for _, all := range append(slices.Collect(maps.Values(g.prefixes)), g.delims) {
			for _, d := range all {
				if d.stops != nil {
					t.Errorf("%q is written to when a language is made ready", d.open)
				}
			}
		}
	}
}
