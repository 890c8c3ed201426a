package search

import (
	"bytes"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"viewer/internal/packed"
)

// A Layout is the way an index is stored in files.
type Layout int

const (
	// Whole is the usual layout: a query reads a list of all units.
	Whole Layout = iota

	// Cut is the layout of sites with too many sessions for such a list. The directory of a block is split: one file
	// has the facets of its sessions with the days and sizes of their units; others have titles, folders and pages of
	// some sessions each. Directories of terms (terms.go) tell which blocks have a term, so that a query reads few
	// blocks: those with all of its words, of its projects and its time, the most promising first (cut.go).
	Cut
)

// titledTogether is the number of sessions in a file of titles.
const titledTogether = 128

// titlesName returns the name of a file of titles of a block.
func titlesName(block string, part int) string {
	return shardPrefix(block) + "t" + strconv.Itoa(part) + ".js"
}

// IsShard reports whether a file of a block has terms.
func IsShard(name string) bool {
	_, rest, _ := strings.Cut(strings.TrimPrefix(name, Folder), ".")
	return rest != "js" && !strings.HasPrefix(rest, "t")
}

// A listing has the facts about the sessions of a block, besides their terms.
type listing struct {
	layout   Layout
	name     string
	sessions int
	lines    []byte   // for the Whole layout
	facets   facets   // for the Cut layout
	titles   [][]byte // the same
}

// add adds the next session to the listing.
func (l *listing) add(e Entry) {
	if l.layout == Cut {
		l.facets.add(e)
		if l.sessions%titledTogether == 0 {
			l.titles = append(l.titles, nil)
		}
		last := &l.titles[len(l.titles)-1]
		if len(*last) > 0 {
			*last = append(*last, documentEnd...)
		}
		*last = append(*last, e.titles()...)
	} else {
		if l.sessions > 0 {
			l.lines = append(l.lines, documentEnd...)
		}
		l.lines = append(l.lines, e.line()...)
	}
	l.sessions++
}

// files returns the files of the listing.
func (l *listing) files() []File {
	if l.layout == Whole {
		return []File{directoryFile(l.name, string(l.lines))}
	}
	all := []File{directoryFile(l.name, l.facets.text())}
	for i, text := range l.titles {
		name := titlesName(l.name, i)
		all = append(all, File{name, packed.Script(name, text)})
	}
	return all
}

// titles returns the folder of a session, its title, and the pages and numbers of its units.
func (e Entry) titles() string {
	b := []byte(e.Folder + fieldEnd + plain(e.Title) + fieldEnd)
	for k, u := range e.Units {
		if k > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "%s,%s", strings.TrimSuffix(u.Page, ".html"), short(u.Number))
	}
	return string(b)
}

// readTitles reads what Entry.titles wrote into a session that has its units.
func (e *Entry) readTitles(line string) bool {
	fields := strings.Split(line, fieldEnd)
	if len(fields) != 3 {
		return false
	}
	if e.Folder, e.Title = fields[0], fields[1]; !fs.ValidPath(e.Folder) {
		return false
	}
	pages := strings.Fields(fields[2])
	if len(pages) != len(e.Units) {
		return false
	}
	for i, page := range pages {
		page, number, _ := strings.Cut(page, ",")
		if !fs.ValidPath(page) {
			return false
		}
		u := &e.Units[i]
		u.Page, u.Number = page+".html", 0
		if number != "" {
			n, err := strconv.Atoi(number)
			if err != nil {
				return false
			}
			u.Number = n
		}
	}
	return true
}

// facets are the values by which queries select sessions and units: three lists of values, and a line for each session
// with their numbers and the days and sizes of its units.
type facets struct {
	values  [3][]string // projects, models, coding agents
	numbers [3]map[string]int
	lines   []byte
}

func (f *facets) add(e Entry) {
	f.lines = append(f.lines, documentEnd...)
	for i, value := range []string{plain(e.Project), plain(strings.Join(e.Models, " ")), plain(e.Agent)} {
		if f.numbers[i] == nil {
			f.numbers[i] = make(map[string]int)
		}
		n, ok := f.numbers[i][value]
		if !ok {
			n = len(f.values[i])
			f.numbers[i][value] = n
			f.values[i] = append(f.values[i], value)
		}
		if i > 0 {
			f.lines = append(f.lines, ',')
		}
		f.lines = strconv.AppendInt(f.lines, int64(n), 10)
	}
	for i := range e.Units {
		u := &e.Units[i]
		f.lines = fmt.Appendf(f.lines, " %s,%s,%s", short(u.First), short(u.Last-u.First), short(u.size()))
	}
}

func (f *facets) text() string {
	var b bytes.Buffer
	for i, values := range f.values {
		if i > 0 {
			b.WriteString(documentEnd)
		}
		b.WriteString(strings.Join(values, fieldEnd))
	}
	b.Write(f.lines)
	return b.String()
}

// readFacets reads the sessions of a block, without the facts in the files of titles.
func readFacets(text string) ([]Entry, bool) {
	lines := strings.Split(text, documentEnd)
	if len(lines) < 3 {
		return nil, false
	}
	var values [3][]string
	for i := range values {
		values[i] = strings.Split(lines[i], fieldEnd)
	}
	all := make([]Entry, 0, len(lines)-3)
	for _, line := range lines[3:] {
		numbers, units, _ := strings.Cut(line, " ")
		of := strings.Split(numbers, ",")
		var value [3]string
		for i := range value {
			if len(of) != len(value) {
				return nil, false
			}
			n, err := strconv.Atoi(of[i])
			if err != nil || n < 0 || n >= len(values[i]) {
				return nil, false
			}
			value[i] = values[i][n]
		}
		e := Entry{Project: value[0], Models: strings.Fields(value[1]), Agent: value[2]}
		for unit := range strings.FieldsSeq(units) {
			parts, n := strings.Split(unit, ","), [3]int{}
			if len(parts) != len(n) {
				return nil, false
			}
			for i, part := range parts {
				if part == "" {
					continue
				}
				var err error
				if n[i], err = strconv.Atoi(part); err != nil {
					return nil, false
				}
			}
			if n[2] < 0 || n[2] > 30 {
				return nil, false
			}
			e.Units = append(e.Units, Unit{First: n[0], Last: n[0] + n[1], count: smallUnit << n[2] / 2})
		}
		all = append(all, e)
	}
	return all, true
}

// patchListing returns the changed files of the listing of a block in which some sessions have changed.
func patchListing(
	layout Layout, name string, changed map[int]Entry, read func(string) ([]byte, error),
) ([]File, error) {
	text, err := readText(read, DirectoryName(name))
	if err != nil {
		return nil, err
	}
	if layout == Whole {
		lines := strings.Split(text, documentEnd)
		for at, e := range changed {
			if at >= len(lines) {
				return nil, errShard
			}
			lines[at] = e.line()
		}
		return []File{directoryFile(name, strings.Join(lines, documentEnd))}, nil
	}
	entries, ok := readFacets(text)
	if !ok {
		return nil, errShard
	}
	parts := make(map[int][]string) // of titles
	for at, e := range changed {
		if at >= len(entries) {
			return nil, errShard
		}
		entries[at] = e
		part := at / titledTogether
		if parts[part] == nil {
			text, err := readText(read, titlesName(name, part))
			if err != nil {
				return nil, err
			}
			parts[part] = strings.Split(text, documentEnd)
		}
		if at%titledTogether >= len(parts[part]) {
			return nil, errShard
		}
		parts[part][at%titledTogether] = e.titles()
	}
	var f facets
	for _, e := range entries {
		f.add(e)
	}
	files := []File{directoryFile(name, f.text())}
	for part := range (len(entries) + titledTogether - 1) / titledTogether {
		if lines := parts[part]; lines != nil {
			name := titlesName(name, part)
			files = append(files, File{name, packed.Script(name, strings.Join(lines, documentEnd))})
		}
	}
	return files, nil
}

// Days returns the first and the last day of the sessions of a block of the Cut layout, given its first file. first is
// 0 if some day is unknown.
func Days(file []byte) (first, last int, err error) {
	text, err := packed.Read(file)
	if err != nil {
		return 0, 0, err
	}
	entries, ok := readFacets(text)
	if !ok {
		return 0, 0, errShard
	}
	isFirst := true
	for _, e := range entries {
		for _, u := range e.Units {
			if isFirst || u.First < first {
				first, isFirst = u.First, false
			}
			last = max(last, u.Last)
		}
	}
	return first, last, nil
}
