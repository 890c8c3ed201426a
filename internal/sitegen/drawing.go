package sitegen

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"viewer/assets"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/segments"
	"viewer/render"
)

// A drawing draws the pages of one session and writes each as soon as it is drawn.
type drawing struct {
	*builder
	planned    *render.Pages
	folder     string
	dir        *output.DirWriter // of the folder
	verify     bool              // compare existing files with what is drawn
	hadSegment bool              // the last build left a segment of it
	end        render.Drawing
	cached     cachedPages
	firstDrawn chan struct{} // closed when the first page is drawn

	mu        sync.Mutex
	outputs   []string
	files     map[string][]string      // files written for each page
	units     map[string][]search.Unit // by page, for the cache; nil when nothing is cached
	written   []search.Unit            // units whose texts were written
	segment   segments.Segment
	unchanged map[string]bool // pages that are the same as in the last build
	pages     int
	drawn     int // number of pages drawn
	wrong     []string
}

// cachedPages are the pages of a cached session as the last build left them.
type cachedPages struct {
	memory  *render.PageCache        // nil when there are none
	files   map[string][]string      // each page with its media
	units   map[string][]search.Unit // by page
	segment segments.Segment         // the segment of these units, if there is an index
}

// parallelPages is the minimum number of pages to draw a session on all cores. A large session that is drawn last would
// otherwise keep only one core busy.
const parallelPages = 4

// draw draws the pages of a session, the first one last, and writes their texts for searches. In a new session no page
// is unchanged, and its texts need not wait for the pages.
func (d *drawing) draw(s render.Session, isNew bool) error {
	d.files, d.unchanged = make(map[string][]string), make(map[string]bool)
	d.firstDrawn = make(chan struct{})
	last := d.planned.Len() - 1
	var group errgroup.Group
	var failed error
	run := func(do func() error) { failed = cmp.Or(failed, d.contain(do)) } // its stack has grown already
	if cores := runtime.GOMAXPROCS(0); cores > 1 && (d.idleCores || last >= parallelPages) {
		group.SetLimit(cores)
		run = func(do func() error) { group.Go(func() error { return d.contain(do) }) }
	}
	if last == 0 {
		run(d.drawFirst)
	}
	if last >= parallelPages { // pages would wait for each other
		for _, part := range d.planned.Parts() {
			run(func() error {
				watch := d.stages.Stopwatch()
				part()
				watch.Lap(StageDraw, 0)
				return nil
			})
		}
	}
	for i := range d.planned.ChangesLen() {
		run(func() error { return d.drawChanges(i) })
	}
	var left atomic.Int64
	left.Store(int64(last))
	for i := last; i > 0; i-- { // new records are mostly on the last page
		run(func() error {
			err := d.drawPage(i)
			if err == nil && left.Add(-1) == 0 {
				err = d.drawFirst()
			}
			return err
		})
	}
	if !isNew {
		if err := cmp.Or(group.Wait(), failed); err != nil {
			return err
		}
	}
	err := d.contain(func() error { d.writeTexts(s, run); return nil })
	return errors.Join(err, group.Wait(), failed)
}

// drawFirst draws the first page, which shows facts of all others. If it is the only page, it may be empty.
func (d *drawing) drawFirst() error {
	defer close(d.firstDrawn)
	if d.planned.Len() > 1 {
		err := d.drawPage(0)
		d.end = d.planned.Close()
		return err
	}
	watch := d.stages.Stopwatch()
	p, done := d.drawnPage(0)
	defer done()
	d.end = d.planned.Close()
	watch.Lap(StageDraw, 0)
	if d.end.Summary.Empty {
		return nil
	}
	return d.writePage(p, d.verify, watch)
}

// drawPage draws a page unless it is unchanged.
func (d *drawing) drawPage(i int) error {
	watch := d.stages.Stopwatch()
	files := d.cached.files[d.planned.Name(i)]
	same := d.planned.Reuse(i) && d.out.Intact(files...)
	watch.Lap(StageFind, 0)
	if same {
		d.mu.Lock()
		d.unchanged[d.planned.Name(i)] = true
		d.mu.Unlock()
		if !d.Verify {
			d.keepPage(d.planned.Name(i), files)
			return nil
		}
	}
	p, done := d.drawnPage(i)
	defer done()
	watch.Lap(StageDraw, 0)
	return d.writePage(p, same || d.verify, watch)
}

// drawChanges draws a page of net diffs unless it is unchanged.
func (d *drawing) drawChanges(i int) error {
	watch := d.stages.Stopwatch()
	name := d.planned.ChangesName(i)
	files := d.cached.files[name]
	same := len(files) > 0 && d.planned.ReuseChanges(i) && d.out.Intact(files...)
	if same && !d.Verify {
		d.keepPage(name, files)
		return nil
	}
	p, done := d.drawPooled(func(memory []byte) render.DrawnPage { return d.planned.DrawChanges(i, memory) })
	defer done()
	watch.Lap(StageDraw, 0)
	return d.writePage(p, same || d.verify, watch)
}

// drawnPage draws a page into memory that is reused when done is called.
func (d *drawing) drawnPage(i int) (p render.DrawnPage, done func()) {
	return d.drawPooled(func(memory []byte) render.DrawnPage { return d.planned.Draw(i, memory) })
}

func (d *drawing) drawPooled(draw func(memory []byte) render.DrawnPage) (p render.DrawnPage, done func()) {
	d.probeStage(StageDraw, strings.TrimPrefix(d.folder, "s/"))
	memory := pageBuffers.Get().(*[]byte)
	p = draw(*memory)
	return p, func() {
		if *memory = p.Page.HTML; cap(*memory) <= maxPooled {
			pageBuffers.Put(memory)
		}
	}
}

// isUnchanged reports whether a page and its media are kept.
func (d *drawing) isUnchanged(page string) bool { return d.unchanged[page] && !d.Verify }

// keepPage keeps a page as it is.
func (d *drawing) keepPage(name string, files []string) {
	d.out.Keep(files...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.outputs = append(d.outputs, files...)
	d.files[name] = files
	d.pages++
}

// writePage writes a page and its media. known says that existing files are expected to be the same.
func (d *drawing) writePage(s render.DrawnPage, known bool, watch *Stopwatch) error {
	if d.out == nil {
		return nil
	}
	own, err := d.openDir()
	if err != nil {
		return err
	}
	for _, m := range s.Media {
		if err := d.writeFile(d.out.Top(), m.Name, m.Data, s.Page.Name, known); err != nil {
			return err
		}
	}
	if err := d.writeFile(own, s.Page.Name, s.Page.HTML, s.Page.Name, known); err != nil {
		return err
	}
	d.mu.Lock()
	d.pages++
	d.drawn++
	d.mu.Unlock()
	watch.Lap(StageWrite, 0)
	return nil
}

// openDir opens the folder of the session when there is something to write.
func (d *drawing) openDir() (*output.DirWriter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dir == nil {
		own, err := d.out.OpenDir(d.folder)
		if err != nil {
			return nil, err
		}
		d.dir = own
	}
	return d.dir, nil
}

func (d *drawing) close() {
	if d.dir != nil {
		d.dir.Close()
	}
}

// writeFile writes a file that belongs to a page.
func (d *drawing) writeFile(on *output.DirWriter, name string, data []byte, page string, known bool) error {
	full := on.Name(name)
	wrong := false
	if known && d.Verify && d.out.Intact(full) {
		wrong = !on.Holds(name, data)
	}
	d.mu.Lock()
	d.outputs = append(d.outputs, full)
	d.files[page] = append(d.files[page], full)
	if wrong {
		d.wrong = append(d.wrong, full)
	}
	d.mu.Unlock()
	return on.Write(name, data)
}

// allOutputs returns the files of the session and the assets that its pages need, sorted; none for an empty session.
func (d *drawing) allOutputs() []string {
	if d.end.Summary.Empty || d.out == nil {
		return d.outputs
	}
	for _, f := range assets.Files() { // other sessions may use these, too
		d.outputs = append(d.outputs, "assets/"+f.Name)
	}
	slices.Sort(d.outputs)
	return slices.Compact(d.outputs)
}
