package insights

import (
	"bytes"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// minLoop is the minimum number of equal calls in a loop. leastReads is the minimum number of reads of a file that
// counts as read repeatedly.
const (
	minLoop    = 3
	leastReads = 3
)

// loops counts runs of consecutive calls with the same input and the same result.
func (l *collector) loops(c *normalize.Conversation) {
	var first, last *normalize.Group
	n := 0
	end := func() {
		if n >= minLoop {
			l.add(Row{Kind: Loop, Name: callWords(first), Count: n, Place: first.Call.Anchor})
		}
	}
	for g := range c.Groups() {
		if g.Call == nil || g.Result == nil {
			continue
		}
		if last != nil && sameCall(last, g) {
			n++
		} else {
			end()
			first, n = g, 1
		}
		last = g
	}
	end()
}

// sameCall compares two calls with their results.
func sameCall(a, b *normalize.Group) bool {
	if a.Call.Name != b.Call.Name || !bytes.Equal(a.Call.Block.Input, b.Call.Block.Input) {
		return false
	}
	x, y := a.Result.Block.Content, b.Result.Block.Content
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].Text != y[i].Text {
			return false
		}
	}
	return true
}

// callWords returns in a few words what a call is about.
func callWords(g *normalize.Group) string {
	about := tools.CommandsOf(g)
	if about == "" {
		about = tools.PathOf(g.Call.Name, g.Call.Block.Input)
	}
	return words.Line(strings.TrimSpace(tools.NameOf(g)+" "+about), 80)
}

// A fileRead has the reads of one file in a conversation.
type fileRead struct {
	path  string
	first *normalize.Group
	again int // reads since the last change
	most  int
	used  bool
}

// reads counts files that are read repeatedly without a change between, and files that are read once and never named
// later, in a call or in a text of the model.
func (l *collector) reads(c *normalize.Conversation) {
	files := make(map[string]*fileRead) // by path
	names := readNames{files: make(map[string][]*fileRead)}
	var order []*fileRead
	for _, t := range c.Turns {
		for _, item := range t.Items {
			g, ok := item.(*normalize.Group)
			if m, ok := item.(*normalize.Message); ok && (m.Kind == normalize.Text || m.Kind == normalize.Thinking) {
				mention(&names, m.Text, false)
			}
			if !ok || g.Call == nil {
				continue
			}
			name := tools.PathOf(g.Call.Name, g.Call.Block.Input)
			if tools.ActionOf(g) != tools.Read || name == "" {
				change := changesFiles(g)
				mention(&names, g.Call.Block.Input, change && name == "") // a patch has its paths within
				if f := files[name]; f != nil && change {
					f.again = 0
				}
				continue
			}
			if g.State != normalize.Done {
				continue
			}
			f := files[name]
			if f == nil {
				f = &fileRead{path: name, first: g}
				files[name] = f
				order = append(order, f)
				names.add(f)
			}
			f.again++
			f.most = max(f.most, f.again)
		}
	}
	for _, f := range order {
		short := words.Line(tools.Short(f.path, c.Facts.CWD), 120)
		if short == "." { // the folder itself
			continue
		}
		if f.most >= leastReads {
			l.add(Row{Kind: ReadAgain, Name: short, Count: f.most, Place: f.first.Call.Anchor})
		} else if f.most == 1 && !f.used {
			l.add(Row{Kind: Unused, Name: short, Count: 1, Place: f.first.Call.Anchor})
		}
	}
}

// changesFiles reports whether a call changed files.
func changesFiles(g *normalize.Group) bool {
	switch tools.ActionOf(g) {
	case tools.Write, tools.Edit, tools.Delete, tools.Move:
		return g.State == normalize.Done
	}
	return false
}

// readNames has the files that were read, by base name. Few words of a text have the length and the first letter of a
// name, so that most need not be looked up.
type readNames struct {
	files   map[string][]*fileRead
	lengths [256]bool // of the names; all that are longer have the last one
	letters [256]bool // that names begin with
}

func (n *readNames) add(f *fileRead) {
	name := baseName(f.path)
	n.files[name] = append(n.files[name], f)
	n.lengths[min(len(name), 255)] = true
	if name != "" {
		n.letters[name[0]] = true
	}
}

// mention marks the files that a text names. change says that the text changes them.
func mention[T ~string | ~[]byte](n *readNames, text T, change bool) {
	for i := 0; i < len(text) && len(n.files) > 0; i++ {
		start, slash := i, -1
		for ; i < len(text) && ofName[text[i]]; i++ {
			if text[i] == '/' {
				slash = i
			}
		}
		if i == start {
			continue
		}
		end := i
		for end > start && text[end-1] == '.' { // of a sentence
			end--
		}
		if slash >= 0 {
			start = slash + 1
		}
		if found := lookUp(n, text[start:end]); len(found) > 0 {
			markNamed(found, change)
			continue
		}
		if slash < 0 && start < end && text[start] == '.' { // "...tides.go"
			for start < end && text[start] == '.' {
				start++
			}
			markNamed(lookUp(n, text[start:end]), change)
		}
	}
}

func lookUp[T ~string | ~[]byte](n *readNames, name T) []*fileRead {
	if !n.lengths[min(len(name), 255)] || len(name) > 0 && !n.letters[name[0]] {
		return nil
	}
	return n.files[string(name)]
}

func markNamed(files []*fileRead, change bool) {
	for _, f := range files {
		if f.used = true; change {
			f.again = 0
		}
	}
}

// baseName returns the last element of a path of any system.
func baseName(name string) string { return name[strings.LastIndexAny(name, `/\`)+1:] }

// ofName has the bytes that names of files consist of in a text. All beyond ASCII are.
var ofName = func() (of [256]bool) {
	for b := range of {
		of[b] = b >= 128 || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' ||
			strings.IndexByte(".-_/+@~", byte(b)) >= 0
	}
	return of
}()
