package corpusgen

import (
	"iter"
	"math/rand/v2"
	"strings"
	"time"
)

// Options say how much to write.
type Options struct {
	Seed     uint64
	Bytes    int // of all files; exact within two percent, except for few sessions
	Sessions int // without the files of agents
}

// A File is a file of a projects folder. Its path has slashes.
type File struct {
	Path string
	Data []byte
}

// sessionSizes are the relative sizes of the sessions of a folder: many small ones, few large ones, and some empty
// ones.
var sessionSizes = distribution{0, 0, 90, 270, 745, 2400, 6000}

// projects are the working directories of sessions.
var projects = []weighted[string]{
	{24, "/home/mara/lanternmap"}, {
		20, "/home/mara/work/city/tariff-service",
	}, {12, "/home/mara/work/city/lamps/dimmer-ui"},
	{9, "/Users/joon/src/harbour/fog-alarms"}, {7, "/Users/joon/src/harbour/repair.queue"},
	{
		16, "/home/mara/lanternmap/worktrees/new-sensors-of-the-harbour",
	}, {9, "/Users/joon/src/harbour/fog-alarms/worktrees/quiet-hours"},
	{4, "/srv/ci/checkout"}, {3, "/home/mara"},
}

// branches are the git branches of sessions; "" is none.
var branches = []string{
	"main", "main", "main", "new-sensors", "mara/count-lamps-twice", "mara/quiet-hours-of-the-harbour-bridge",
	"joon/fog-alarms-in-two-languages", "",
}

// Folder returns the files of a projects folder, session by session in order of time.
func Folder(o Options) iter.Seq[File] {
	return func(yield func(File) bool) {
		rng := rand.New(rand.NewPCG(o.Seed, 1009))
		texts := newTextPool(rng)
		sizes, all := make([]int, o.Sessions), 0
		for i := range sizes {
			sizes[i] = sessionSizes.pick(rng)
			all += sizes[i]
		}
		written := 0
		for i, size := range sizes {
			s := newSession(texts, rng, versionAt(i*1000/o.Sessions), i)
			if size > 0 { // a share of the remaining bytes, because the sessions before were slightly too long
				s.limit = max(1, int(int64(o.Bytes-written)*int64(size)/int64(all)))
				s.write()
			}
			all -= size
			for _, f := range append([]File{{s.path + ".jsonl", s.out}}, s.files...) {
				written += len(f.Data)
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Huge returns a projects folder of one session in one file.
func Huge(o Options) iter.Seq[File] {
	return func(yield func(File) bool) {
		s := newHuge(o.Seed, o.Bytes)
		yield(File{s.path + ".jsonl", s.out})
	}
}

// Session returns one session of about so many bytes in one file. Truncated at the end of any line, it is an earlier
// state of the same session.
func Session(seed uint64, size int) []byte { return newHuge(seed, size).out }

func newHuge(seed uint64, size int) *session {
	rng := rand.New(rand.NewPCG(seed, 7))
	s := newSession(newTextPool(rng), rng, "2.1.210", 0)
	s.limit, s.alone, s.out = size, true, make([]byte, 0, size+1<<20)
	s.write()
	return s
}

// newSession returns the nth session of a folder in order of time.
func newSession(texts *textPool, rng *rand.Rand, number string, n int) *session {
	s := &session{texts: texts, rng: rng, version: number, v: parseVersion(number), cwd: draw(rng, projects),
		branch: pick(rng, branches), todos: []byte("[]"),
		now: time.Date(2025, 6, 2, 8, 0, 0, 0, time.UTC).Add(time.Duration(n) * 5 * time.Hour), stop: rng.IntN(8) > 0,
		named: rng.IntN(12) == 0}
	s.hooks = rng.IntN(6) < 2 || s.v >= 201098 && rng.IntN(4) == 0
	s.model, s.silent = modelOf(rng, s.v)
	s.tools = toolsOf(s.v)
	s.id, s.title = s.uuid(), s.sentence()
	s.path = slug(s.cwd) + "/" + s.id
	return s
}

// slug returns the name of the folder of a project.
func slug(cwd string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, cwd)
}

// file returns the path of a file with an extension.
func (s *session) file(ending string) string {
	return s.cwd + "/" + pick(s.rng, s.texts.nouns) + "s/" + pick(s.rng, s.texts.nouns) + "/" +
		pick(s.rng, s.texts.nouns) + "_" + pick(s.rng, s.texts.nouns) + "." + ending
}
