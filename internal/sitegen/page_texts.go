package sitegen

import (
	"iter"
	"strings"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/segments"
	"viewer/render"
)

// writeTexts writes the text of each page for searches, using run. A session of several pages gets its text even in a
// site without an index, for the search on its pages.
func (d *drawing) writeTexts(s render.Session, run func(do func() error)) {
	if d.NoSearch && d.planned.Len() == 1 || d.out == nil {
		return
	}
	texts := search.Session{
		Conversation: s.Conversation, Title: d.planned.Title(), Spilled: s.Spilled, Page: d.planned.PageOf,
		Skip: d.isUnchanged, Notes: foundNotes(d.planned),
	}.Texts()
	for i := range texts.Len() {
		run(func() error { return d.writeText(texts.Files(i, s.Folder)) })
	}
}

// foundNotes returns the notes about a session in the form of the search index.
func foundNotes(b *render.Pages) []search.Note {
	var all []search.Note
	for _, n := range b.Notes() {
		all = append(all, search.Note{Page: n.Page, Anchor: n.ID, Text: n.Text})
	}
	return all
}

// writeText writes the text of a page.
func (d *drawing) writeText(files iter.Seq2[search.Unit, []byte]) error {
	d.probeStage(StageIndex, strings.TrimPrefix(d.folder, "s/"))
	watch := d.stages.Stopwatch()
	for u, file := range files {
		watch.Lap(StageIndex, 0)
		if d.planned.Len() == 1 {
			if <-d.firstDrawn; d.end.Summary.Empty {
				return nil
			}
		}
		own, err := d.openDir()
		if err != nil {
			return err
		}
		if err := d.writeFile(own, u.Name(), file, u.Page, d.verify || d.unchanged[u.Page]); err != nil {
			return err
		}
		watch.Lap(StageWrite, 0)
		d.mu.Lock()
		d.written = append(d.written, u)
		d.mu.Unlock()
	}
	return nil
}

// writeIndexFiles writes the other files of a session for searches: the list of its pages, and its segment. It returns
// the segment's digest and number of units.
func (d *drawing) writeIndexFiles(s render.Session) (sum fingerprint.Digest, n int, err error) {
	if d.out == nil || d.end.Summary.Empty {
		return fingerprint.Digest{}, 0, nil
	}
	watch := d.stages.Stopwatch()
	units := d.written
	for page := range d.unchanged {
		if d.isUnchanged(page) {
			units = append(units, d.cached.units[page]...)
		}
	}
	search.SortUnits(units)
	if d.units != nil {
		for _, u := range units {
			d.units[u.Page] = append(d.units[u.Page], u)
		}
	}
	if d.planned.Len() > 1 {
		pages := make([]string, d.planned.Len())
		for i := range pages {
			pages[i] = d.planned.Name(i)
		}
		own, err := d.openDir()
		if err != nil {
			return fingerprint.Digest{}, 0, err
		}
		list := search.PageList(s.Folder, pages, units, d.planned.Outlines())
		if err := d.writeFile(own, list.Name, list.Data, "", d.verify); err != nil {
			return fingerprint.Digest{}, 0, err
		}
	}
	if d.NoSearch {
		return fingerprint.Digest{}, 0, nil
	}
	now := segments.Segment{Units: units, Data: search.AppendSegment(d.cached.segment.Data[:0], units)}
	now.Digest = fingerprint.OfContent(now.Data)
	if d.units != nil {
		d.segment = now
		d.segments.SetUnits(d.cached.segment, now)
	}
	watch.Lap(StageIndex, 0)
	err = d.segments.Write(s.Folder, d.hadSegment, d.cached.segment.Digest, now)
	watch.Lap(StageWrite, 0)
	return now.Digest, len(units), err
}
