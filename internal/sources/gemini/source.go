// Package gemini reads the sessions of Gemini CLI and of Qwen Code. A session of Gemini CLI is one JSON document, or a
// log of messages and patches in which a message is repeated when it has gained calls or tokens. Saved histories are
// read, too. The package never opens a file.
package gemini

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode/utf8"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Gemini CLI.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs do not tell which messages a request contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Gemini CLI", NotSent: true} }

// beside are files of the program that are not sessions. They are never opened; some hold credentials.
var beside = []string{
	"oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "logs.json", "mcp-oauth-tokens.json",
	"mcp-oauth-tokens-v2.json", "projects.json",
}

// rootFile is a file beside "chats" with the path of the project. Logs seldom have it.
const rootFile = ".project_root"

// Wants also accepts that file.
func (s Source) Wants(p string) bool { return s.Defaults.Wants(p) || path.Base(p) == rootFile }

// Arrange returns the files in folders named "chats": sessions, and agents in a folder named after the session that
// started them. The folder around "chats" names the project, by the hash of a path or by a short name.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	roots := rootsOf(tree)
	if tree.Only == "" {
		tree.LeaveNamed(beside...)
	}
	var folders []sources.Folder
	places := make(map[string]int)     // indexes of folders, by the path of "chats"
	owners := make(map[string][2]int)  // of the folder and the session, by the path of "chats" and the start of the id
	agents := make(map[string][]agent) // by the same
	for i, p := range tree.Paths {
		dir, base := path.Split(p)
		chats := strings.TrimSuffix(dir, "/")
		ext := path.Ext(p)
		if tree.Taken(i) || ext != ".json" && ext != ".jsonl" {
			continue
		}
		if up, parent := path.Split(chats); path.Base(up) == "chats" && len(parent) >= 8 && tree.Only == "" {
			if tree.Matches(s, p) && !roots.leave(tree, i) {
				key := strings.TrimSuffix(up, "/") + "\x00" + parent[:8]
				agents[key] = append(agents[key], agent{i, sources.Stem(p)})
			}
			continue
		}
		if chats != "chats" && !strings.HasSuffix(chats, "/chats") && (tree.Base != "chats" || dir != "") ||
			!strings.HasPrefix(base, "session-") {
			continue
		}
		if _, both := tree.Place(p + "l"); both && ext == ".json" && tree.Only == "" { // the .jsonl file replaced it
			tree.Leave(i)
			continue
		}
		head := tree.Head(p)
		if !s.Match(sources.NewHead(head)) || roots.leave(tree, i) {
			continue
		}
		at, ok := places[chats]
		if !ok {
			at = len(folders)
			places[chats] = at
			folders = append(folders, sources.Folder{Name: projectOf(tree, chats, head), OfPath: true})
		}
		stem := sources.Stem(p)
		key := chats + "\x00" + stem[max(0, len(stem)-8):]
		owners[key] = [2]int{at, len(folders[at].Sessions)}
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{
			ID: stem, Log: i, Path: p, Folder: roots.of(path.Dir(chats), head),
		})
	}
	folders = append(folders, s.arrangeSaved(tree, places, roots)...)
	for key, list := range agents {
		at, ok := owners[key]
		if !ok {
			continue // a separate session
		}
		session := &folders[at[0]].Sessions[at[1]]
		for _, a := range list {
			session.Agents = append(session.Agents, sources.Agent{ID: a.id, Log: a.log, Meta: -1})
		}
	}
	if len(folders) > 0 {
		folders[0].About = roots.files
	}
	return folders
}

// projectRoots are the paths of projects, by the folders of the program that have them, and by their hashes. Folders of
// older versions are named after that hash.
type projectRoots struct {
	files            []int
	byFolder, byHash map[string]string
	folders          map[string][]string // by the hash
}

// rootsOf reads the files with the paths of projects. These are no sessions.
func rootsOf(tree *sources.Tree) projectRoots {
	all := projectRoots{
		byFolder: make(map[string]string), byHash: make(map[string]string), folders: make(map[string][]string),
	}
	if tree.Only != "" {
		return all
	}
	all.files = tree.Named(rootFile)
	for _, i := range all.files {
		p := tree.Paths[i]
		root := strings.TrimSpace(string(tree.Head(p)))
		if transcript.IsAbsolute(root) && len(root) < longestRoot && utf8.ValidString(root) &&
			!strings.ContainsAny(root, "\n\x00") {
			sum := sha256.Sum256([]byte(root))
			hash := hex.EncodeToString(sum[:])
			all.byFolder[path.Dir(p)], all.byHash[hash] = root, root
			all.folders[hash] = append(all.folders[hash], path.Dir(p))
		}
		tree.Leave(i)
	}
	return all
}

// longestRoot is more than the longest path of a system.
const longestRoot = 32 << 10

// of returns the path of the project of a session, given the folder around "chats". Logs repeat the hash.
func (r projectRoots) of(dir string, head []byte) string {
	if len(r.byFolder) == 0 {
		return ""
	}
	return cmp.Or(r.byFolder[dir], r.byHash[path.Base(dir)], r.byHash[sources.FirstString(head, "projectHash")])
}

// leave leaves a file in a folder of an older version that a newer one has copied to its own, and reports whether it
// did. If the older version has written since, both are read.
func (r projectRoots) leave(tree *sources.Tree, i int) bool {
	p := tree.Paths[i]
	dir, name, ok := strings.Cut(p, "/chats/")
	if !ok {
		return false
	}
	updated := func(p string) string { return sources.FirstString(tree.Head(p), "lastUpdated") }
	for _, folder := range r.folders[path.Base(dir)] {
		copied := path.Join(folder, "chats", name)
		if _, ok := tree.Place(copied); ok && copied != p && updated(p) <= updated(copied) {
			tree.Leave(i)
			return true
		}
	}
	return false
}

// An agent is the index of its file and its id.
type agent struct {
	log int
	id  string
}

// projectOf returns the name of the folder around "chats", or the hash of the project that a file names.
func projectOf(tree *sources.Tree, chats string, head []byte) string {
	name := path.Base(path.Dir(chats))
	if chats == "chats" {
		name = tree.Base
	}
	if chats == "" || name == "." {
		name = sources.FirstString(head, "projectHash")
	}
	if isHash(name) {
		name = name[:12]
	}
	if name == "" {
		return "chats"
	}
	return name
}

// isHash reports whether a name is a SHA-256 in hexadecimal.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// Match accepts documents with messages and a head, logs of patches, single messages, and saved histories.
func (Source) Match(head sources.Head) bool {
	if isSaved(head) {
		return true
	}
	switch kind := transcript.String(head.Value("type")); {
	case head.First() == "$set", head.First() == "$patch", head.First() == "$rewindTo":
		return true
	case head.Has("uuid", "parentUuid", "parentId", "message", "payload", "data", "cwd", "role", "messageId", "$set",
		"$patch", "$rewindTo"):
		return false
	case head.Has("projectHash"), head.Has("messages") && head.Has("lastUpdated"):
		return head.Has("sessionId", "messages")
	case kind == "gemini":
		return true
	case messageTypes[kind]:
		return head.Has("id") && head.Has("timestamp") && (head.Has("content") || len(head.Data) >= sources.HeadSize)
	}
	return false
}

// messageTypes are the types of messages.
var messageTypes = map[string]bool{"user": true, "gemini": true, "info": true, "warning": true, "error": true}

// FolderOf returns the first of the directories, or the folder that the program named to the model.
func (Source) FolderOf(head []byte) string {
	for name, value := range sources.HeadMembers(head) {
		if name == "directories" {
			for e := range transcript.Elements(value) {
				return transcript.String(e)
			}
		}
	}
	for _, mark := range []string{`Workspace Directories:**\n  - `, `working in the directory: `} {
		if _, rest, ok := strings.Cut(string(head), mark); ok {
			line, _, closed := strings.Cut(rest, `\n`)
			if closed && !strings.ContainsAny(line, "\"\n") {
				return transcript.String([]byte(`"` + line + `"`))
			}
		}
	}
	return ""
}

// Folders returns where Gemini CLI keeps its sessions: below $GEMINI_CLI_HOME, or below the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("GEMINI_CLI_HOME"); dir != "" {
		home = dir
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.gemini/tmp"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator {
	t := &translator{known: make(map[string]*message), made: make(map[string]*call)}
	t.Complete = t.fill
	return t
}
