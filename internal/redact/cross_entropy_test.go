package redact

import (
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var letterSources = flag.String("letters", "", "folders of code in English, to write rules/letters.txt from")

// TestGenerateLetters writes rules/letters.txt from names in source files.
func TestGenerateLetters(t *testing.T) {
	if *letterSources == "" {
		t.Skip("no -letters folders given")
	}
	names := map[string]int{} // number of files with each name
	name := regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{3,}`)
	for _, root := range filepath.SplitList(*letterSources) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			code := slices.Contains([]string{".go", ".py", ".js"}, filepath.Ext(path))
			if err != nil || !d.Type().IsRegular() || !code || strings.Contains(path, "testdata") {
				return err
			}
			data, err := os.ReadFile(path)
			here := map[string]bool{}
			for _, n := range name.FindAllString(string(data), -1) {
				if !here[n] {
					here[n] = true
					names[n]++
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	words := map[string]int{}
	word := regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)
	for n, files := range names {
		if files >= 2 {
			for _, w := range word.FindAllString(n, -1) {
				words[strings.ToLower(w)]++
			}
		}
	}
	var times [27][27][27]float64
	for w, n := range words {
		a, b := 0, 0
		for _, c := range []byte(w) {
			i := int(c-'a') + 1
			times[a][b][i] += 1 + math.Log(float64(n))
			a, b = b, i
		}
	}
	var out strings.Builder
	for a := range 27 {
		for b := range 27 {
			if a > 0 && b == 0 {
				continue
			}
			sum := 13.0
			for c := 1; c < 27; c++ {
				sum += times[a][b][c]
			}
			for c := 1; c < 27; c++ {
				bits := -math.Log2((times[a][b][c] + 0.5) / sum)
				out.WriteString(strconv.FormatInt(min(35, int64(math.Round(2*bits))), 36))
			}
			out.WriteByte('\n')
		}
	}
	if err := os.WriteFile("rules/letters.txt", []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCrossEntropy: the cross-entropy of names is lower than that of random values of the same length.
func TestCrossEntropy(t *testing.T) {
	for _, name := range []string{"password", "defaultPassword", "getUserByID", "self.cleaned_data", "visitNode2",
		"supportsImmutableAssets", "cfg.Database.Primary", "HTTPServer",
		"correct-horse-battery-staple", "sommerregen", "laterne"} {
		if got := crossEntropy([]byte(name)); got > 4.2 {
			t.Errorf("%s: got %.1f bits per byte, want at most 4.2", name, got)
		}
	}
	for n := range uint64(200) {
		for _, alphabet := range []string{alnum[26:52], alnum[:52], alnum, base64Signs} {
			v := randomText(n, 16, alphabet)
			if got := crossEntropy([]byte(v)); got < 4.2 {
				t.Errorf("%s: got %.1f bits per byte, want at least 4.2", v, got)
			}
		}
	}
}
