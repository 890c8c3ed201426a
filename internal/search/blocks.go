package search

import (
	"fmt"
	"strconv"
	"strings"

	"viewer/internal/packed"
)

// A Block is a run of sessions in the order in which they began, whose terms are stored together.
//
// Blocks are small at the end and large before: a session that grows is mostly one of the last, and then little is
// rewritten, while a query reads few blocks however many sessions there are. The division depends only on the number of
// sessions, so a site that grew has the same blocks as one that was built at once.
type Block struct {
	Name       string
	First, End int // of its sessions
}

// Sizes of blocks: each step is this many times the one before. The last block holds at least as many sessions as the
// smallest step, or all.
const (
	smallestBlock = 64
	blockStep     = 8
	largestBlock  = smallestBlock * blockStep * blockStep
)

// Blocks divides n sessions into blocks.
func Blocks(n int) []Block {
	var all []Block
	at := 0
	for size := largestBlock; size >= smallestBlock; size /= blockStep {
		for k := 0; n-at >= size+smallestBlock; k++ {
			all = append(all, Block{fmt.Sprintf("%d-%d", size, k+1), at, at + size})
			at += size
		}
	}
	return append(all, Block{"last", at, n})
}

// An Entry is a session in a block.
type Entry struct {
	Folder  string // of its pages, below s/
	ID      string // "" for a session of an index that was read from files, which do not have it
	Title   string
	Project string
	Models  []string
	Agent   string // the coding agent, as transcript.Writer.ID
	Units   []Unit
}

// A File is a script of the index.
type File struct {
	Name string // relative to the site, except for a PageList
	Data []byte
}

// Folder is the folder of the index, relative to the site.
const Folder = "search/"

// DirectoryName returns the name of the file that lists the sessions of a block. The names of its shards begin with
// shardPrefix.
func DirectoryName(block string) string { return Folder + block + ".js" }

// shardPrefix returns the prefix of the names of a block's shards.
func shardPrefix(block string) string { return Folder + block + "." }

// shardName returns the name of a shard of a block.
func shardName(block string, shard int) string {
	return shardPrefix(block) + strconv.Itoa(shard) + ".js"
}

// line returns the line of a session in the directory of its block: folder, title, project, models, coding agent and
// units, each with page, number, first and last day, and size.
func (e Entry) line() string {
	b := []byte(
		strings.Join([]string{
			e.Folder, plain(e.Title), plain(e.Project), plain(strings.Join(e.Models, " ")), plain(e.Agent), "",
		}, fieldEnd),
	)
	for k, u := range e.Units {
		if k > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(
			b,
			"%s,%s,%s,%s,%s",
			strings.TrimSuffix(u.Page, ".html"),
			short(u.Number),
			short(u.First),
			short(u.Last),
			short(u.size()),
		)
	}
	return string(b)
}

// directoryFile returns the directory of a block with the lines of its sessions.
func directoryFile(block, lines string) File {
	name := DirectoryName(block)
	return File{name, packed.Script(name, lines)}
}

func short(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// A Listing describes a block in the contents of the index.
type Listing struct {
	Name                    string
	Shards, Sessions, Units int
	First, Last             int // days, of a cut layout, see Days
}

const contentsName = Folder + "index.js"

// Contents returns the file that a query reads first.
func Contents(blocks []Listing) File {
	var b strings.Builder
	for _, l := range blocks {
		fmt.Fprintf(&b, "%s %d %d %d\n", l.Name, l.Shards, l.Sessions, l.Units)
	}
	return File{contentsName, packed.Script(contentsName, b.String())}
}

// cutMark begins the contents of a cut layout.
const cutMark = "cut 1\n"

// CutContents is the same of a cut layout, with the directories of terms.
func CutContents(blocks []Listing, directories []TermDirectory) File {
	b := []byte(cutMark)
	for _, l := range blocks {
		b = fmt.Appendf(b, "%s %d %d %d %d %d\n", l.Name, l.Shards, l.Sessions, l.Units, l.First, l.Last)
	}
	for _, d := range directories {
		b = fmt.Appendf(b, "terms %s %d\n", d.Level, d.Shards)
	}
	return File{contentsName, packed.Script(contentsName, b)}
}
