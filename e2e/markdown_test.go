package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// markdownPieces are parts of texts that parsers of Markdown interpret differently.
var markdownPieces = []string{"<", "<", "<script>", "</details>", "<img src=x>", "<!--", "-->", "<?", "<![CDATA[",
	"<a b='", "'>", "\"", "(", ")",
	"[", "]", "[a]", "](", "[a]:", "[^1]", "[^1]:", "`", "``", "```", "~~~", "\n", "\n", "\n\n", "    ", "\t", "  ",
	" ", " ", "> ", "- ", "* ", "1. ",
	"10) ", "# ", "\\", "\\<", "&lt;", "&#60;", "|", "|-|", "\n|-|\n", "a", "b", "---", "===", "***", "_", "*", "~~",
	"!", "<http://a>", "<a@b.c>",
	"http://x.y/<b>", "\u00a0", "<div>", "<pre>", "</pre>", "<b", "\f", "&", "<details", "- [ ] ", "\r", "javascript:",
	"javascript&#x3A;", "ftp://a.b",
	"[a](javascript", "vbscript&colon;x)", "&Tab;", "(java", "script:", "](ftp:", "x<img src=x>", "(<<",
	"(<!--<script>)", "www.a.b"}

// TestMarkdownToOthers: also for a parser other than ours, an export of all kinds of texts contains only HTML that we
// write, no pictures, and only links to http, https, mailto, or a file beside it.
func TestMarkdownToOthers(t *testing.T) {
	t.Parallel()
	parser, err := filepath.Abs(checker(t, "markdown-it/dist/markdown-it.js"))
	if err != nil {
		t.Fatal(err)
	}
	node := program(t, "node")
	command, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	const texts = 3600
	r := rand.New(rand.NewPCG(1, 2))
	log := `{"type":"user","uuid":"00000000-0000-4000-8000-000000000000","message":{"role":"user","content":"Go"}}` + "\n"
	for i := range texts {
		text := ""
		for range 1 + r.IntN(14) {
			text += markdownPieces[r.IntN(len(markdownPieces))]
		}
		content, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		log += fmt.Sprintf(`{"type":"assistant","uuid":"%08x-0000-4000-8000-000000000001","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"text","text":%s}]}}`+"\n", i, content)
	}
	session := filepath.Join(t.TempDir(), "5e551000-0000-4000-8000-000000000000.jsonl")
	if err := os.WriteFile(session, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	export := exec.Command(command, "export", session, "--format", "md", "--no-redact", "-q")
	markdown, err := export.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range inMarkdown(t, node, parser, markdown) {
		t.Error(f)
	}
	// The check finds what an export may not contain.
	wants(t, "the parser", inMarkdown(t, node, parser, []byte("[t](<!--<script>) ![a](b) [c](ftp://d) <details>")),
		`HTML: <script>`, `picture: b`, `link: ftp://d`)
}

var (
	ownTag  = regexp.MustCompile(`</?(details|summary|b|code)>|<details open>`)
	allowed = regexp.MustCompile(`(?i)^(https?:|mailto:|[^a-z]|[a-z][a-z0-9+.-]*($|[^:a-z0-9+.-]))`)
)

// inMarkdown returns what another parser finds in Markdown that is not allowed.
func inMarkdown(t *testing.T, node, parser string, markdown []byte) (findings []string) {
	t.Helper()
	c := exec.Command(node, filepath.Join("testdata", "markdown.js"), parser)
	c.Stdin = bytes.NewReader(markdown)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ HTML, Links, Images []string }
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	for _, h := range found.HTML {
		if rest := ownTag.ReplaceAllString(h, ""); strings.Contains(rest, "<") {
			findings = append(findings, "HTML: "+h)
		}
	}
	for _, l := range found.Links {
		if l != "" && !allowed.MatchString(l) {
			findings = append(findings, "link: "+l)
		}
	}
	for _, i := range found.Images {
		findings = append(findings, "picture: "+i)
	}
	return findings
}
