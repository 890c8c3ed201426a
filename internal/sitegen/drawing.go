package sitegen

import (
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
	"viewer/render"
)

// A drawing is a session on its way to files: each page is written as soon as
// it is drawn.
type drawing struct {
	*builder
	book       *render.Book
	folder     string
	dir        *output.DirWriter // of the folder
	verify     bool              // what is there should be what is drawn
	end        render.Drawing
	cached     cachedPages
	firstDrawn chan struct{} // closed when the first page is drawn

	mu        sync.Mutex
	outputs   []string
	files     map[string][]string      // by page, what was written for it
	units     map[string][]search.Unit // by page, to be kept; nil when nothing is
	written   []search.Unit            // of the texts that were put together
	segment   segment
	unchanged map[string]bool // pages that are those of the last build
	pages     int
	drawn     int // of these
	wrong     []string
}

// A shelved is the pages of a session as the last build of this site left them.
type cachedPages struct {
	memory  *render.PageCache        // nil when there are none
	files   map[string][]string      // by page: it, its media, and what goes with it
	units   map[string][]search.Unit // by page
	segment segment                  // of these, when there is an index
}

// manyPages is from how many pages on a session is drawn on all cores. The
// largest sessions come first: without that the last one would keep one core
// busy and the other idle.
const parallelPages = 4

// draw draws the pages of a session, the first one when all others are drawn, and puts
// their texts in place. When the session is new, no page stays as it is, and its texts need not
// wait for the pages.
func (d *drawing) draw(s render.Session, isNew bool) error {
	d.files, d.unchanged = make(map[string][]string), make(map[string]bool)
	d.firstDrawn = make(chan struct{})
	last := d.book.Len() - 1
	var group errgroup.Group
	group.SetLimit(1)
	if d.idle || last >= parallelPages {
		group.SetLimit(runtime.GOMAXPROCS(0))
	}
	run := func(do func() error) { group.Go(func() error { return d.contain(do) }) }
	if last == 0 {
		run(d.first)
	}
	var left atomic.Int64
	left.Store(int64(last))
	for i := last; i > 0; i-- { // what is new is most often on the last page
		run(func() error {
			err := d.page(i)
			if err == nil && left.Add(-1) == 0 {
				err = d.first()
			}
			return err
		})
	}
	if !isNew {
		if err := group.Wait(); err != nil {
			return err
		}
	}
	err := d.contain(func() error { d.texts(s, run); return nil })
	return errors.Join(err, group.Wait())
}

// first draws the first page, which tells of all others, and may show nothing when it is the
// only one.
func (d *drawing) first() error {
	defer close(d.firstDrawn)
	if d.book.Len() > 1 {
		err := d.page(0)
		d.end = d.book.Close()
		return err
	}
	watch := d.stages.Stopwatch()
	sheet, done := d.sheet(0)
	defer done()
	d.end = d.book.Close()
	watch.Lap(StageDraw, 0)
	if d.end.Summary.Empty {
		return nil
	}
	return d.write(sheet, d.verify, watch)
}

// page draws a page, unless it is as it was.
func (d *drawing) page(i int) error {
	watch := d.stages.Stopwatch()
	files := d.cached.files[d.book.Name(i)]
	same := d.book.Reuse(i) && d.out.Intact(files...)
	watch.Lap(StageFind, 0)
	if same {
		d.mu.Lock()
		d.unchanged[d.book.Name(i)] = true
		d.mu.Unlock()
		if !d.Verify {
			d.keepPage(d.book.Name(i), files)
			return nil
		}
	}
	sheet, done := d.sheet(i)
	defer done()
	watch.Lap(StageDraw, 0)
	return d.write(sheet, same || d.verify, watch)
}

// sheet draws a page into memory that is used again when done is called.
func (d *drawing) sheet(i int) (sheet render.Sheet, done func()) {
	d.probeStage(StageDraw, strings.TrimPrefix(d.folder, "s/"))
	memory := pageBuffers.Get().(*[]byte)
	sheet = d.book.Draw(i, *memory)
	return sheet, func() {
		if *memory = sheet.Page.HTML; cap(*memory) <= maxPooled {
			pageBuffers.Put(memory)
		}
	}
}

// known says that a page and all that goes with it stay.
func (d *drawing) isUnchanged(page string) bool { return d.unchanged[page] && !d.Verify }

// keep leaves a page as it is.
func (d *drawing) keepPage(name string, files []string) {
	d.out.Keep(files...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.outputs = append(d.outputs, files...)
	d.files[name] = files
	d.pages++
}

// write puts a page and its media in place. known says that what is there should be
// what was drawn.
func (d *drawing) write(s render.Sheet, known bool, watch *Stopwatch) error {
	if d.out == nil {
		return nil
	}
	own, err := d.openDir()
	if err != nil {
		return err
	}
	for _, m := range s.Media {
		if err := d.put(d.out.Top(), m.Name, m.Data, s.Page.Name, known); err != nil {
			return err
		}
	}
	if err := d.put(own, s.Page.Name, s.Page.HTML, s.Page.Name, known); err != nil {
		return err
	}
	d.mu.Lock()
	d.pages++
	d.drawn++
	d.mu.Unlock()
	watch.Lap(StageWrite, 0)
	return nil
}

// openDir opens the folder of the session, when there is something to write.
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

// put writes a file that belongs to a page.
func (d *drawing) put(on *output.DirWriter, name string, data []byte, page string, known bool) error {
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

// allOutputs are the files of the session and what its pages need besides, sorted; none of an empty session.
func (d *drawing) allOutputs() []string {
	if d.end.Summary.Empty || d.out == nil {
		return d.outputs
	}
	for _, f := range assets.Files() { // which other sessions may use as well
		d.outputs = append(d.outputs, "assets/"+f.Name)
	}
	slices.Sort(d.outputs)
	return slices.Compact(d.outputs)
}
