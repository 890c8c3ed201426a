package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"

	"viewer/internal/archive"
	"viewer/internal/failure"
)

// A Flaw is a difference from what was archived, in an archived file or in a file of the archive.
type Flaw struct {
	File string
	Line int // 0 for the whole file
	Text string
	Mild bool // the archive is intact: an earlier run was killed, or a log was rewritten between two runs
}

// String returns the flaw with its place.
func (f Flaw) String() string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
	}
	return f.File + ": " + f.Text
}

// ManifestFlaws returns the lines of the manifest that were changed, or do not follow from those before them.
func (a *Archive) ManifestFlaws() []Flaw {
	var all []Flaw
	for _, f := range a.Faults {
		all = append(all, Flaw{File: archive.ManifestName, Line: f.Line, Text: f.Err.Error()})
	}
	return all
}

// Verify reads everything in the archive and compares it with the manifest.
func (a *Archive) Verify(ctx context.Context, report func(Flaw)) error {
	for _, f := range a.ManifestFlaws() {
		report(f)
	}
	if a.Torn > 0 {
		report(Flaw{File: archive.ManifestName, Text: torn(a.Torn), Mild: true})
	}
	v := verifier{
		Archive: a, report: report, holds: make(map[string][]hold), verified: make(map[*archive.Record]bool),
		bad: make(map[string]bool), lined: make(map[archive.Key]bool),
	}
	for _, k := range a.Keys() {
		for _, r := range a.Files[k] {
			at := r.Size
			for _, p := range slices.Backward(r.Parts) {
				at -= p.To - p.From
				v.holds[p.Stream] = append(v.holds[p.Stream], hold{r, p, at})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Streams)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := v.stream(a.Streams[name]); err != nil {
			return err
		}
	}
	for _, k := range a.Keys() {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.versions(a.Files[k])
	}
	return v.others()
}

func torn(n int64) string {
	if n == 1 {
		return "1 byte after its end is from an interrupted run"
	}
	return fmt.Sprintf("%d bytes after its end are from an interrupted run", n)
}

type verifier struct {
	*Archive
	report   func(Flaw)
	holds    map[string][]hold // by stream
	verified map[*archive.Record]bool
	bad      map[string]bool      // streams with flaws
	lined    map[archive.Key]bool // files with a flaw whose line was counted
}

// A hold is a part of a stream that a version has.
type hold struct {
	record *archive.Record
	archive.Part
	at int64 // in the content of the version
}

// stream verifies the frames of a stream, and the versions that are a prefix of it, all of it, or in one frame.
func (v *verifier) stream(s *archive.Stream) error {
	name := archive.StreamPath(s.Name)
	file, err := v.place.openStream(s.Name)
	if errors.Is(err, fs.ErrNotExist) {
		v.damaged(s, &s.Frames[0], nil, &archive.Damage{Line: -1, Err: fmt.Errorf("%s is gone", name)})
		return nil
	}
	if err != nil {
		return failure.New(v.failed("reading", name, err), "check that the archive can be read")
	}
	defer file.close()
	if size := file.size(); size > s.Packed {
		v.report(Flaw{File: name, Text: torn(size - s.Packed), Mild: true})
	}
	var beginnings []*archive.Record
	var inside []hold
	for _, p := range v.holds[s.Name] {
		switch r := p.record; {
		case len(r.Parts) > 1:
		case p.From == 0:
			beginnings = append(beginnings, r)
		default:
			inside = append(inside, p)
		}
	}
	slices.SortStableFunc(beginnings, func(a, b *archive.Record) int { return cmp.Compare(a.Size, b.Size) })
	slices.SortStableFunc(inside, func(a, b hold) int { return cmp.Compare(a.From, b.From) })
	h := sha256.New()
	for i := range s.Frames {
		f := &s.Frames[i]
		packed, err := file.frame(f)
		if errors.Is(err, fs.ErrNotExist) {
			v.damaged(s, f, nil, &archive.Damage{Line: -1, Err: fmt.Errorf("%s is gone", v.place.frameFile(f))})
			return nil
		}
		if err != nil {
			return failure.New(v.failed("reading", v.place.frameFile(f), err), "check that the archive can be read")
		}
		data, err := f.Unpack(packed)
		if err != nil {
			v.damaged(s, f, data, err)
			return nil
		}
		at := f.From
		for len(beginnings) > 0 && beginnings[0].Size <= f.To {
			r := beginnings[0]
			h.Write(data[at-f.From : r.Size-f.From])
			at = r.Size
			v.compare(r, archive.Sum(h.Sum(nil)))
			beginnings = beginnings[1:]
		}
		h.Write(data[at-f.From:])
		for ; len(inside) > 0 && inside[0].From < f.To; inside = inside[1:] {
			if p := inside[0]; p.To <= f.To {
				v.compare(p.record, sha256.Sum256(data[p.From-f.From:p.To-f.From]))
			}
		}
	}
	return nil
}

// compare compares the sum of the content of a version with that in the manifest.
func (v *verifier) compare(r *archive.Record, now archive.Sum) {
	v.verified[r] = true
	if now != r.Sum {
		v.report(Flaw{File: r.Key().Name(), Text: errContent.Error()})
	}
}

// damaged reports a damaged frame for each file that uses it. data is the readable part of its content. If the changed
// line is known, only its file gets a line.
func (v *verifier) damaged(s *archive.Stream, f *archive.Frame, data []byte, err error) {
	v.bad[s.Name] = true
	first := int64(-1) // where the first other line begins in the frame
	if damage, ok := errors.AsType[*archive.Damage](err); ok && damage.Line >= 0 {
		first = offsetOf(data, damage.Line)
	}
	told := make(map[archive.Key]bool)
	for _, p := range slices.Backward(v.holds[s.Name]) {
		key := p.record.Key()
		if p.From >= f.To || p.To <= f.From || told[key] {
			continue
		}
		told[key] = true
		where := Flaw{File: key.Name(), Text: err.Error()}
		begin := max(p.From-f.From, 0) // in the frame
		from := p.at + max(f.From-p.From, 0)
		switch {
		case first < 0:
			where.Line = v.lineAt(p.record, from, 0)
		case first >= begin && first < p.To-f.From:
			where.Line = v.lineAt(p.record, from, bytes.Count(data[begin:first], []byte("\n")))
			if where.Line > 0 {
				where.Text = "this line is not as it was archived"
			}
		}
		v.report(where)
	}
	if len(told) == 0 {
		v.report(Flaw{File: archive.StreamPath(s.Name), Text: err.Error()})
	}
}

// offsetOf returns the offset of a line, which counts from 0.
func offsetOf(data []byte, line int64) int64 {
	at := 0
	for range line {
		n := bytes.IndexByte(data[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return int64(at)
}

// lineAt returns the line of a version that is some lines after the one with the byte at an offset, or 0 if a line of
// the file was counted before: a file may have any number of flaws, and is read for each.
func (v *verifier) lineAt(r *archive.Record, offset int64, after int) int {
	if v.lined[r.Key()] {
		return 0
	}
	v.lined[r.Key()] = true
	c := v.Content(r)
	defer c.Close()
	n := 1 + after
	buffer := make([]byte, 64<<10)
	for at := int64(0); at < offset; {
		m, err := c.ReadAt(buffer[:min(int64(len(buffer)), offset-at)], at)
		n += bytes.Count(buffer[:m], []byte("\n"))
		at += int64(m)
		if err != nil || m == 0 {
			break
		}
	}
	return n
}

// versions verifies versions of several parts or frames, and reports where a log was rewritten between two runs.
func (v *verifier) versions(all []*archive.Record) {
	for i, r := range all {
		if slices.ContainsFunc(r.Parts, func(p archive.Part) bool { return v.bad[p.Stream] }) {
			continue // reported with its stream
		}
		if len(r.Parts) > 0 && !v.verified[r] {
			h := sha256.New()
			c := v.Content(r)
			_, err := io.Copy(h, c)
			c.Close()
			if err == nil && archive.Sum(h.Sum(nil)) != r.Sum {
				err = errContent
			}
			if err != nil {
				v.report(Flaw{File: r.Key().Name(), Text: failure.Cause(err).Error()})
				continue
			}
		}
		if i == 0 || path.Ext(r.Path) != ".jsonl" || r.Continues(all[i-1]) {
			continue
		}
		before, after := v.Content(all[i-1]), v.Content(r)
		f, err := archive.Compare(before, after)
		before.Close()
		after.Close()
		if err == nil && !f.Change.Honest() {
			const since = "this line %s between %s and %s; both versions are kept"
			v.report(Flaw{
				File: r.Key().Name(), Line: f.Line, Mild: true,
				Text: fmt.Sprintf(since, f.Change, day(all[i-1]), day(r)),
			})
		}
	}
}

func day(r *archive.Record) string { return r.Time.Format("2006-01-02 15:04") }

// others reports files of streams that no record names.
func (v *verifier) others() error {
	known := make(map[string]bool)
	for _, s := range v.Streams {
		for i := range s.Frames {
			known[v.place.frameFile(&s.Frames[i])] = true
		}
	}
	names, err := v.place.list(archive.DataDir)
	if err != nil {
		return failure.New(v.failed("reading", archive.DataDir, err), "check that the archive can be read")
	}
	for _, name := range names {
		if !known[name] {
			v.report(Flaw{File: name, Text: "no record names it: it is from an interrupted run", Mild: true})
		}
	}
	return nil
}
