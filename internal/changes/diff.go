package changes

// A compared is a diff of two snapshots.
type compared struct {
	from, to []entry
	spans    []span
}

// is reports whether the diff is that of two snapshots.
func (c *compared) is(from, to snapshot) bool {
	return c.spans != nil && isSame(c.from, from.lines) && isSame(c.to, to.lines)
}

// isSame reports whether two lists of lines, which are never modified, are the same list.
func isSame(a, b []entry) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// diff returns the diff of two snapshots.
func (r *replayer) diff(from, to snapshot, hunks bool) Diff {
	var d Diff
	if from.what == Unclear || to.what == Unclear {
		return d
	}
	if !r.known.is(from, to) {
		r.known = compared{from.lines, to.lines, compare(from.texts, to.texts)}
	}
	spans := r.known.spans
	for _, s := range spans {
		gone, added := s.causes(from.lines, to.lines, r.left)
		d.Removed, d.Added = d.Removed+len(gone), d.Added+len(added)
		d.ForeignRemoved += countUnknown(gone)
		d.ForeignAdded += countUnknown(added)
	}
	if hunks {
		d.Hunks = hunksOf(from.lines, to.lines, spans, r.left)
		own(d.Hunks)
	}
	return d
}

func countUnknown(causes []Writer) int {
	n := 0
	for _, by := range causes {
		if by == Unknown {
			n++
		}
	}
	return n
}

// cause returns whose change added a new line. If the line was only formatted or moved, that is its writer. If it
// equals another line, it may be the writer that put either of them there.
func (e *entry) cause() Writer {
	switch {
	case e.by >= 0:
		return e.by
	case e.words >= 0:
		return e.words
	}
	return e.put
}
