package sources

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A Source is one writer of sessions. Defaults implements the methods that few sources need.
type Source interface {
	// Writer returns the name of the writer, which tells sources apart, and what its logs leave out.
	Writer() transcript.Writer
	// Match reports whether a file that begins with head is from this writer. The last source of a List is not asked.
	Match(head Head) bool
	// Wants reports whether the file at a path can be a session or belong to one. The path is Unpacked.
	Wants(path string) bool
	// Arrange returns the sessions that can be recognized by the places of their files. See List.Arrange.
	Arrange(tree *Tree) []Folder
	// Role returns what a file next to a session is for, and the name by which the log refers to it.
	Role(log, path string) (Role, string)
	// Title reads the title that the user gave a session from a file of RoleTitle.
	Title(data []byte) string
	// Folders returns where the writer keeps sessions on a machine, in the order in which to look.
	Folders(getenv func(string) string, home string) []string
	// FolderOf returns the first working directory named in the beginning of a file, or "".
	FolderOf(head []byte) string
	// MayShareName reports whether the projects of two folders may have the same name.
	MayShareName(folder, other string) bool
	// FindRecords returns a function that is given the lines of a file in pieces, and marks in found which of the ids
	// its records have.
	FindRecords(ids []string, found map[string]bool) func(lines []byte)
	// NewScan returns a scan for the facts of a file, or nil to use ScanRecords.
	NewScan() Scan
	// NewTranslator returns a translator for the values of one file, or nil if the values are records already.
	NewTranslator() Translator
}

// A Translator turns the values of one file into records. It gets them in file order and may keep state: when the file
// grows, the same translator continues.
type Translator interface {
	// Translate is called with a redacted value and its place. Its records get that place and raw JSON unless they have
	// their own, see PlaceIn. A value without records is shown as JSON.
	Translate(pos transcript.Pos, value jsontext.Value) ([]transcript.Record, []transcript.Problem)
}

// A Decoder is a Source whose files are not JSON, such as databases. They are read as a whole.
type Decoder interface {
	Source
	// Values yields the values to redact and translate, each with its line or row.
	Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value]
}

// A TitleList is a Source that keeps the titles of many sessions in one file.
type TitleList interface {
	Source
	// TitlesFile returns the path of that file, relative to a folder with sessions: in the folder, or in its parent
	// ("../titles").
	TitlesFile(folder string) string
	// TitlesIn reads the titles by session id. The file may be cut off at its end.
	TitlesIn(data []byte) map[string]string
}

// A FilesAround is a Source that keeps more files of its sessions outside of their folder. They are archived with the
// sessions.
type FilesAround interface {
	Source
	// Around returns files and folders, relative to a folder with sessions of that name ("../history.jsonl").
	Around(folder string) []string
	// Prompts returns the sessions of which only the prompts are left, from such a file. has reports whether the log of
	// a session exists.
	Prompts(name string, data []byte, has func(id string) bool) []PromptLog
}

// A Deleter is a Source whose program deletes the logs of sessions that have not changed for some time.
type Deleter interface {
	Source
	// SettingsFile returns the file that sets this time, relative to a folder with sessions ("../settings.json").
	SettingsFile() string
	// KeptDays reads from that file after how many days without a change a log is deleted. settings is nil if there is
	// no such file. ok is false if the time is unknown.
	KeptDays(settings []byte) (days float64, ok bool)
}

// A PromptLog is a log made of the prompts of a session whose own log is gone.
type PromptLog struct {
	ID, Path string
	Log      []byte
	Last     time.Time // of the last prompt, zero if unknown
}

// Defaults implements the optional methods of Source, for files that are one session each, wherever they are.
type Defaults struct{}

// Wants accepts the usual extensions of JSON.
func (Defaults) Wants(p string) bool { return path.Ext(p) == ".jsonl" || path.Ext(p) == ".json" }

// Arrange returns nothing, so that files are recognized by their content.
func (Defaults) Arrange(*Tree) []Folder { return nil }

// Role returns RoleOther.
func (Defaults) Role(string, string) (Role, string) { return RoleOther, "" }

// Title returns "".
func (Defaults) Title([]byte) string { return "" }

// Folders returns nothing.
func (Defaults) Folders(func(string) string, string) []string { return nil }

// FolderOf returns the first "cwd", at any depth.
func (Defaults) FolderOf(head []byte) string { return FirstString(head, "cwd") }

// MayShareName returns true.
func (Defaults) MayShareName(string, string) bool { return true }

// FindRecords finds nothing.
func (Defaults) FindRecords([]string, map[string]bool) func([]byte) { return func([]byte) {} }

// NewScan returns nil, so that ScanRecords is used.
func (Defaults) NewScan() Scan { return nil }

// A List is a list of sources. The last one gets the files that no other recognizes.
type List []Source

// Of returns the source of a file that begins with data.
func (l List) Of(data []byte) Source {
	head := NewHead(data)
	for _, s := range l[:len(l)-1] {
		if s.Match(head) {
			return s
		}
	}
	return l[len(l)-1]
}

// Named returns the source with a name, or the last one if none has it.
func (l List) Named(name string) Source {
	for _, s := range l {
		if s.Writer().Name == name {
			return s
		}
	}
	return l[len(l)-1]
}

// credentials are names of files in which agents keep keys and accounts. They are never opened.
var credentials = map[string]bool{
	".credentials.json": true, "auth-profiles.json": true, "auth-state.json": true, "auth.json": true,
	"credentials.json": true, "google_accounts.json": true, "mcp-oauth-tokens.json": true, "oauth.json": true,
	"oauth_creds.json": true,
}

// HasCredentials reports whether a file has the name of one with keys or accounts.
func HasCredentials(p string) bool { return credentials[path.Base(p)] }

// Wants reports whether any source wants the file.
func (l List) Wants(p string) bool {
	p = Unpacked(p)
	if HasCredentials(p) {
		return false
	}
	return slices.ContainsFunc(l, func(s Source) bool { return s.Wants(p) })
}

// An Arranged is a folder and the source that arranged it.
type Arranged struct {
	Folder
	By Source
}

// Arrange gives the files of a tree to the sources in order. Each takes the files that it recognizes by their place. Of
// the rest, each file whose beginning a source recognizes is a session. The beginning of a .jsonl file is not read
// here: the scan of its content finds its source.
func (l List) Arrange(tree *Tree) []Arranged {
	all := tree.arrangeParts()
	tree.leavePacked()
	for _, s := range l {
		for _, fo := range s.Arrange(tree) {
			if len(l) > 1 {
				tree.take(&fo)
			}
			all = append(all, Arranged{fo, s})
		}
	}
	if len(l) == 1 {
		return all
	}
	for i, p := range tree.Paths {
		if tree.Taken(i) || IsLog(p) && tree.Only == "" || !l.Wants(p) {
			continue
		}
		s := l.Of(tree.Head(p))
		if s == l[len(l)-1] {
			continue
		}
		session := Session{ID: Stem(p), Log: i, Path: p}
		all = append(all, Arranged{Folder{Name: tree.NameOf(path.Dir(p)), Sessions: []Session{session}}, s})
	}
	return all
}

// arrangeParts returns a session for each part of a file that holds many.
func (t *Tree) arrangeParts() []Arranged {
	if len(t.Parts) == 0 {
		return nil
	}
	var all []Arranged
	for i, p := range t.Paths {
		if s := t.Parts[p]; s != nil {
			t.Leave(i)
			in := Session{ID: strings.TrimSuffix(path.Base(p), ".jsonl"), Log: i, Path: p}
			all = append(all, Arranged{Folder{Name: path.Base(path.Dir(p)), Sessions: []Session{in}}, s})
		}
	}
	return all
}

// Options returns the options for reading a file that begins with head, with the translator of its source.
func (l List) Options(head []byte, o transcript.Options) transcript.Options {
	return OptionsOf(l.Of(head), o)
}

// OptionsOf returns the options for reading a file of a source, with its translator.
func OptionsOf(s Source, o transcript.Options) transcript.Options {
	o.Writer = s.Writer()
	if t := s.NewTranslator(); t != nil {
		o.Translate = t.Translate
	}
	return o
}

// Read decodes a whole file.
func (l List) Read(name string, data []byte, o transcript.Options) transcript.File {
	by := l.Of(data)
	o = OptionsOf(by, o)
	if d, ok := by.(Decoder); ok {
		return o.ReadValues(name, int64(len(data)), d.Values(data))
	}
	return o.Read(name, data)
}

// IsWhole reports whether files of a source cannot be read line by line.
func IsWhole(s Source) bool {
	_, ok := s.(Decoder)
	return ok
}

// PlaceIn returns the place of a part of a value; the two must share memory. Records of a file that is one JSON
// document use it to say where in the file they are. For many parts of a value use Places.
func PlaceIn(pos transcript.Pos, value, part jsontext.Value) transcript.Pos {
	places := Places{Pos: pos, Value: value}
	return places.Of(part)
}

// Places tells where the parts of a value are. It reads only what is between a part and the one before, so that parts
// in the order of the file cost one reading of the value.
type Places struct {
	Pos   transcript.Pos // of the value
	Value jsontext.Value

	at, lines int // the first at bytes of the value have lines line breaks
}

// Of returns the place of a part of the value, or that of the value if the two do not share memory.
func (p *Places) Of(part jsontext.Value) transcript.Pos {
	pos := p.Pos
	at := cap(p.Value) - cap(part)
	if at < 0 || at > len(p.Value) || len(part) == 0 || &p.Value[at:][0] != &part[0] {
		return pos
	}
	if at < p.at {
		p.lines -= bytes.Count(p.Value[at:p.at], []byte("\n"))
	} else {
		p.lines += bytes.Count(p.Value[p.at:at], []byte("\n"))
	}
	p.at = at
	pos.Line += p.lines
	pos.Offset += int64(at)
	return pos
}

// Elements yields the elements of a list in the value, each with its place. List and value must share memory.
func (p *Places) Elements(list jsontext.Value) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		for e := range transcript.Elements(list) {
			if !yield(p.Of(e), e) {
				return
			}
		}
	}
}

// ElementsIn yields the elements of a list in a value, each with its place. List and value must share memory.
func ElementsIn(pos transcript.Pos, value, list jsontext.Value) iter.Seq2[transcript.Pos, jsontext.Value] {
	places := Places{Pos: pos, Value: value}
	return places.Elements(list)
}

// FirstString returns the first string value of a member with that name, at any depth, or "". The JSON may be cut off
// anywhere.
func FirstString(data []byte, name string) string {
	quoted := []byte(`"` + name + `"`)
	for {
		at := bytes.Index(data, quoted)
		if at < 0 {
			return ""
		}
		data = data[at+len(quoted):]
		if s := StringBehind(data); s != "" {
			return s
		}
	}
}

// StringBehind returns the string value of the member whose name ends where data begins, or "".
func StringBehind(data []byte) string {
	rest := bytes.TrimLeft(data, " \t\r\n")
	if len(rest) == 0 || rest[0] != ':' {
		return ""
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	for end := 1; end < len(rest) && rest[end] != '\n'; end++ {
		switch rest[end] {
		case '\\':
			end++
		case '"':
			return transcript.String(rest[:end+1])
		}
	}
	return ""
}

// IsDocument reports whether a file begins like one JSON document that spans several lines, rather than JSONL.
func IsDocument(head []byte) bool {
	head = trimmed(head)
	if len(head) > 0 && head[0] == '[' {
		rest := bytes.TrimLeft(head[1:], " \t\r\n")
		return len(rest) == 0 || rest[0] == '{' || rest[0] == ']'
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return string(bytes.TrimSpace(line)) == "{"
}

// HeadMembers yields the names and values of the members of the first object in a file, given its beginning. The object
// may be the first of an array. A value that is cut off by the end of head is nil.
func HeadMembers(head []byte) iter.Seq2[string, jsontext.Value] {
	return transcript.HeadMembers(bytes.TrimPrefix(trimmed(head), []byte("[")))
}

// Dir returns path.Dir of a path of a Tree. Such paths are clean, and each source asks for the folder of each file.
func Dir(p string) string {
	if at := strings.LastIndexByte(p, '/'); at > 0 {
		return p[:at]
	}
	return path.Dir(p)
}
