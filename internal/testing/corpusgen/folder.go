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
	Bytes    int // of all files, within two percent where sessions are not few
	Sessions int // main files; those of agents come on top
}

// A File is a file of a projects folder. Its path has slashes.
type File struct {
	Path string
	Data []byte
}

// sessionSizes are how the sizes of sessions in a folder are to each other: many
// small, few large, some of them empty.
var sessionSizes = spread{0, 0, 90, 270, 745, 2400, 6000}

// projects are the folders that sessions were started in.
var projects = []lot[string]{
	{24, "/home/mara/lanternmap"}, {
		20, "/home/mara/work/city/tariff-service",
	}, {12, "/home/mara/work/city/lamps/dimmer-ui"},
	{9, "/Users/joon/src/harbour/fog-alarms"}, {7, "/Users/joon/src/harbour/repair.queue"},
	{
		16, "/home/mara/lanternmap/worktrees/new-sensors-of-the-harbour",
	}, {9, "/Users/joon/src/harbour/fog-alarms/worktrees/quiet-hours"},
	{4, "/srv/ci/checkout"}, {3, "/home/mara"},
}

// branches are the branches that they were on; "" is none.
var branches = []string{
	"main", "main", "main", "new-sensors", "mara/count-lamps-twice", "mara/quiet-hours-of-the-harbour-bridge",
	"joon/fog-alarms-in-two-languages", "",
}

// Folder makes a projects folder, session by session in order of time.
func Folder(o Options) iter.Seq[File] {
	return func(yield func(File) bool) {
		dice := rand.New(rand.NewPCG(o.Seed, 1009))
		stock := newStock(dice)
		sizes, all := make([]int, o.Sessions), 0
		for i := range sizes {
			sizes[i] = sessionSizes.pick(dice)
			all += sizes[i]
		}
		written := 0
		for i, size := range sizes {
			s := newSession(stock, dice, versionAt(i*1000/o.Sessions), i)
			if size > 0 { // a share of what is left: those before were a bit too long
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

// Huge makes a projects folder of one session, which is one file.
func Huge(o Options) iter.Seq[File] {
	return func(yield func(File) bool) {
		s := newHuge(o.Seed, o.Bytes)
		yield(File{s.path + ".jsonl", s.out})
	}
}

// Session returns one session of about so many bytes in one file. Cut at the end of
// any line, it is an earlier state of the same session.
func Session(seed uint64, size int) []byte { return newHuge(seed, size).out }

func newHuge(seed uint64, size int) *session {
	dice := rand.New(rand.NewPCG(seed, 7))
	s := newSession(newStock(dice), dice, "2.1.210", 0)
	s.limit, s.alone, s.out = size, true, make([]byte, 0, size+1<<20)
	s.write()
	return s
}

// newSession returns the session that was started as the nth.
func newSession(stock *stock, dice *rand.Rand, number string, n int) *session {
	s := &session{stock: stock, dice: dice, version: number, v: parseVersion(number), cwd: draw(dice, projects),
		branch: pick(dice, branches), todos: []byte("[]"),
		now: time.Date(2025, 6, 2, 8, 0, 0, 0, time.UTC).Add(time.Duration(n) * 5 * time.Hour), stop: dice.IntN(8) > 0,
		named: dice.IntN(12) == 0}
	s.hooks = dice.IntN(6) < 2 || s.v >= 201098 && dice.IntN(4) == 0
	s.model, s.silent = modelOf(dice, s.v)
	s.tools = toolsOf(s.v)
	s.id, s.title = s.uuid(), s.sentence()
	s.path = slug(s.cwd) + "/" + s.id
	return s
}

// slug returns the name of a project's folder.
func slug(cwd string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, cwd)
}

// file returns the path of a file in that language.
func (s *session) file(ending string) string {
	return s.cwd + "/" + pick(s.dice, s.stock.nouns) + "s/" + pick(s.dice, s.stock.nouns) + "/" +
		pick(s.dice, s.stock.nouns) + "_" + pick(s.dice, s.stock.nouns) + "." + ending
}
