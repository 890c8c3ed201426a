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
		options: o, work: work, early: t.early}
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
		if texts.Absent || texts.binary() || touch.op.Kind == tools.DeleteFile || touch.op.Kind == tools.AlterFile ||
			height > MaxLines || !work.take(size) {
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

	early tools.FileKind // what a command may have done to it before the first touch, 0 for nothing
}

// A tracer follows files through renames.
type tracer struct {
	folder    string // of relative paths
	all       []*trace
	known     map[string]*trace
	early     map[string]tools.FileKind // what commands may have done to unknown files and folders
	moved     map[string]touch          // renames of unknown files, by their new names
	inFolders int                       // the cost of operations on folders so far
}

func traces(steps []Step, folder string) []*trace {
	t := tracer{folder: folder, known: make(map[string]*trace), early: make(map[string]tools.FileKind),
		moved: make(map[string]touch)}
	for i := range steps {
		for j := range steps[i].Ops {
			op := &steps[i].Ops[j]
			if name := Clean(op.Path, folder); name != "" {
				t.add(touch{i, op, name})
			}
		}
	}
	return slices.DeleteFunc(t.all, func(t *trace) bool { return !t.changed })
}

// of returns the trace of a file.
func (t *tracer) of(name string) *trace {
	if t.known[name] == nil {
		f := &trace{path: name}
		for _, before := range t.renames(name) {
			f.touches = append(f.touches, before)
			f.changed = true
		}
		if len(f.touches) > 0 {
			f.path = Clean(f.touches[0].op.Path, t.folder)
		}
		f.early = t.earlyOf(name)
		t.known[name] = f
		t.all = append(t.all, f)
	}
	return t.known[name]
}

// maxRenames limits the renames of a file that are followed before it is known.
const maxRenames = 10

// renames returns the renames that led to the name of an unknown file, the first one first.
func (t *tracer) renames(name string) []touch {
	var all []touch
	for range maxRenames {
		last, ok := t.moved[name]
		if !ok {
			break
		}
		delete(t.moved, name)
		all = append(all, last)
		name = Clean(last.op.Path, t.folder)
	}
	slices.Reverse(all)
	return all
}

// earlyOf returns what a command may have done to a file, or to a folder that contains it, before it was known.
func (t *tracer) earlyOf(name string) tools.FileKind {
	for len(t.early) > 0 {
		if kind := t.early[name]; kind != 0 {
			return kind
		}
		above := path.Dir(name)
		if above == name {
			break
		}
		name = above
	}
	return 0
}

// add adds an operation to the file that it is about, or to those in a folder.
func (t *tracer) add(op touch) {
	kind, to := op.op.Kind, Clean(op.op.To, t.folder)
	switch {
	case t.known[op.path] != nil || !op.op.IfKnown && kind != tools.AlterFile:
	case kind == tools.RenameFile:
		t.moved[to] = touch{op.step, op.op, to}
		t.early[to], t.early[op.path] = t.early[op.path], tools.DeleteFile
		if over := t.known[to]; over != nil {
			over.touches = append(over.touches, touch{op.step, &tools.FileOp{Kind: tools.AlterFile, Path: to}, to})
		}
		return
	default:
		if kind == tools.DeleteFile || !op.op.IfKnown {
			t.early[op.path] = kind
		}
		if t.inFolders < maxInFolders {
			t.inFolders += t.touchFolder(op)
		}
		return
	}
	f := t.of(op.path)
	if kind == tools.AlterFile {
		f.touches = append(f.touches, op)
		return
	}
	f.changed = f.changed || kind != tools.ReadFile
	if kind == tools.RenameFile && to != "" && to != op.path {
		if over := t.known[to]; over != nil { // the file there was overwritten
			over.touches = append(over.touches, touch{op.step, &tools.FileOp{Kind: tools.DeleteFile, Path: to}, to})
			over.changed = true
		}
		delete(t.known, op.path)
		t.known[to] = f
		op.path = to
	}
	f.touches = append(f.touches, op)
}

// maxInFolders limits the cost of operations on folders: 1 for each name that is compared with the folder, and
// touchCost for each file in it. A log of a megabyte could require billions.
const (
	maxInFolders = 1 << 24
	touchCost    = 100
)

// touchFolder adds an operation on a folder to the files in it, except those that it was the last one on already. It
// returns what that cost.
func (t *tracer) touchFolder(op touch) int {
	folder := strings.TrimSuffix(op.path, "/") + "/"
	cost := len(t.all)
	for _, f := range t.all {
		last := &f.touches[len(f.touches)-1]
		isIn := strings.HasPrefix(last.path, folder) || op.path == "." && !transcript.IsAbsolute(last.path) ||
			op.path == "/" && op.op.Kind == tools.AlterFile
		if isIn && t.known[last.path] == f && last.op.Kind != op.op.Kind && strings.HasSuffix(last.path, op.op.Ending) {
			f.changed = f.changed || op.op.Kind != tools.AlterFile
			f.touches = append(f.touches, touch{op.step, op.op, last.path})
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
