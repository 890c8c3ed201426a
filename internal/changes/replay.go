package changes

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
)

// Options tell what to replay and return.
type Options struct {
	Folder    string  // folder of relative paths
	Prompt    *int    // only what happened from this prompt to the next
	Texts     bool    // include the texts of files at the beginning and at the end
	Path      string  // only the file that ends up with this path, "" for all
	NoWriters bool    // without File.Writers and File.Words
	Proven    bool    // a call that wrote a whole file is the writer of its lines only if the log has the text before
	Memory    *Memory // of an earlier replay with the same options, or nil; it is updated
	Work      int64   // limit on bytes of text to process, 0 for one that only constructed logs reach
}

// A Result is what a session changed.
type Result struct {
	Files []File // in the order in which they were first touched
}

// Replay replays the calls for one file after the other: first by names only, then with the texts of that file.
func Replay(steps []Step, o Options) Result {
	var r Result
	work := budget(cmp.Or(o.Work, maxWork))
	order := inOrder(steps)
	prompts := make(map[int]int)
	for i, turn := range order {
		if steps[i].Turn == turn {
			prompts[turn] = steps[i].Prompt
		}
	}
	only := Clean(o.Path, o.Folder)
	memory, next := new(Memory), Memory{make(map[traceKey]remembered)}
	if o.Memory != nil {
		memory = o.Memory
	}
	for _, t := range traces(steps, o.Folder) {
		if only != "" && t.touches[len(t.touches)-1].path != only {
			continue
		}
		f := memory.replay(t.key(steps, order), &next, &work,
			func() *File { return replay(t, order, prompts, o, &work) })
		if f != nil {
			r.Files = append(r.Files, *f)
		}
	}
	*memory = next
	return r
}

// inOrder returns the turn in which each step happened. An agent in the background continues in later turns.
func inOrder(steps []Step) []int {
	turns := make([]int, len(steps))
	last := 0
	for i, s := range steps {
		last = max(last, s.Turn)
		turns[i] = last
	}
	return turns
}

// replay replays one file. It returns nil if nothing happened to it.
func replay(t *trace, turns []int, prompts map[int]int, o Options, work *budget) *File {
	r := &replayer{path: t.path, left: make(map[int32]Writer), knew: -1, at: -1, turns: turns, prompts: prompts,
		options: o, work: work}
	r.File.From = t.path
	if text, ok := t.begin(work); ok {
		r.meet(Present, text)
	}
	for i, touch := range t.touches {
		r.touch(touch, t.first, t.touches[i+1:])
		t.first = nil
	}
	return r.finish()
}

// begin returns the text that the file began with if the log does not have it: the first text in the log, with the
// patches of all calls before it undone. It returns false if there are none or one of them does not fit.
func (t *trace) begin(work *budget) (string, bool) {
	var before [][]Hunk
	for i, touch := range t.touches {
		if touch.op.Kind == tools.RenameFile {
			continue
		}
		texts := load(touch.op)
		if i == 0 {
			t.first = &texts
		}
		size, height := texts.size()
		if texts.Absent || texts.binary() || touch.op.Kind == tools.DeleteFile || height > MaxLines ||
			!work.take(size) {
			return "", false
		}
		text := texts.Before
		if text == nil && texts.After != nil {
			text = texts.After
			before = append(before, texts.patch)
		}
		if text == nil {
			if touch.op.Kind == tools.ReadFile { // of a part
				continue
			}
			if len(texts.patch) == 0 {
				return "", false
			}
			before = append(before, texts.patch)
			continue
		}
		if len(before) == 0 {
			return "", false
		}
		whole := *text
		if texts.EndUnknown {
			whole = withEnd(whole, "", t.touches[i+1:])
		}
		plain, f := formOf(whole)
		lines := split(plain)
		for _, hunks := range slices.Backward(before) {
			var ok bool
			if lines, ok = exchange(lines, hunks, true); !ok || len(hunks) == 0 {
				return "", false
			}
		}
		return f.in(strings.Join(lines, "")), true
	}
	return "", false
}

// A touch is one operation on a file.
type touch struct {
	step int
	op   *tools.FileOp
	path string // of the file after the operation
}

// A trace is a file with all its names.
type trace struct {
	path    string // at the beginning
	touches []touch
	changed bool     // by a call of the log
	first   *opTexts // texts of the first touch, if already loaded
}

// traces follows files through renames.
func traces(steps []Step, folder string) []*trace {
	var all []*trace
	known := make(map[string]*trace)
	inFolders := 0 // the cost of operations on folders so far
	of := func(name string) *trace {
		if known[name] == nil {
			known[name] = &trace{path: name}
			all = append(all, known[name])
		}
		return known[name]
	}
	for i := range steps {
		for j := range steps[i].Ops {
			op := &steps[i].Ops[j]
			name := Clean(op.Path, folder)
			if name == "" {
				continue
			}
			if op.IfKnown && known[name] == nil {
				if op.Kind != tools.RenameFile && inFolders < maxInFolders {
					inFolders += touchFolder(all, known, touch{i, op, name})
				}
				continue
			}
			t := of(name)
			t.changed = t.changed || op.Kind != tools.ReadFile
			if to := Clean(op.To, folder); op.Kind == tools.RenameFile && to != "" && to != name {
				if over := known[to]; over != nil { // the file there was overwritten
					over.touches = append(over.touches, touch{i, &tools.FileOp{Kind: tools.DeleteFile, Path: to}, to})
					over.changed = true
				}
				delete(known, name)
				known[to] = t
				name = to
			}
			t.touches = append(t.touches, touch{i, op, name})
		}
	}
	return slices.DeleteFunc(all, func(t *trace) bool { return !t.changed })
}

// maxInFolders limits the cost of operations on folders: 1 for each name that is compared with the folder, and
// touchCost for each file in it. A log of a megabyte could require billions.
const (
	maxInFolders = 1 << 24
	touchCost    = 100
)

// touchFolder adds an operation on a folder to the files in it, except those that it was the last one on already. It
// returns what that cost.
func touchFolder(all []*trace, known map[string]*trace, op touch) int {
	folder := strings.TrimSuffix(op.path, "/") + "/"
	cost := len(all)
	for _, t := range all {
		last := &t.touches[len(t.touches)-1]
		if strings.HasPrefix(last.path, folder) && known[last.path] == t && last.op.Kind != op.op.Kind {
			t.changed = true
			t.touches = append(t.touches, touch{op.step, op.op, last.path})
			cost += touchCost
		}
	}
	return cost
}

// Clean returns the normalized form of a path, which may be relative to folder; "" for none. Paths in logs are compared
// and never opened.
func Clean(name, folder string) string {
	if name == "" || strings.ContainsAny(name, "\x00") {
		return ""
	}
	if transcript.IsWindows(name) || transcript.IsWindows(folder) && !strings.HasPrefix(name, "/") {
		name, folder = strings.ReplaceAll(name, `\`, "/"), strings.ReplaceAll(folder, `\`, "/")
	}
	if !transcript.IsAbsolute(name) && folder != "" {
		name = folder + "/" + name
	}
	if transcript.IsWindows(name) && name[0] != '~' {
		return strings.ToUpper(name[:1]) + name[1:2] + path.Clean("/"+name[2:])
	}
	return path.Clean(name)
}

// CleanNative returns the normalized form of an absolute path of this machine.
func CleanNative(name string) string { return Clean(filepath.ToSlash(name), "") }
