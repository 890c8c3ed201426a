package sitegen

import (
	"viewer/internal/fingerprint"
	"viewer/internal/redact"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
)

// The mainPlaces of a session are where redaction found something in its main transcript, so that a build after an
// append searches only what is new. They are valid for the first pass over the transcript with a redactor that knows
// nothing but the folder in the beginning of the file. The next passes know more, and search everything.
type mainPlaces struct {
	known redact.Places      // of the beginning of the file, nil if there are none
	size  int64              // of the beginning, in bytes
	begin fingerprint.Digest // its digest
	made  redact.Places      // of the current file
	of    fingerprint.Digest // its digest
}

// note notes the places of a transcript with that beginning.
func (p *mainPlaces) note(c *redaction.Redactor, f file, head []byte, by sources.Source) {
	if p == nil || c == nil {
		return
	}
	known := p.known
	if known != nil && p.size < int64(len(head)) { // the beginning was shorter, and may have had another folder
		before := head[:p.size]
		old := f.source.SourceList().Of(before)
		if old.Writer() != by.Writer() || old.FolderOf(before) != by.FolderOf(head) {
			known = nil
		}
	}
	c.BeginPlaces(known)
}

// end takes the places of all whole lines. The last line may be longer in the next build.
func (p *mainPlaces) end(c *redaction.Redactor, read *prefix) {
	if p != nil && c != nil {
		p.made, p.of = c.EndPlaces(), read.content()
	}
}

// rewritten reports whether the beginning was another one when it was read. Then secrets in it may have been missed.
func (p *mainPlaces) rewritten(read *prefix) bool {
	return p != nil && p.known != nil && read.marked != p.begin
}

// stored returns the places to store for a transcript with that digest. It has grown if another one was read.
func (p *mainPlaces) stored(content fingerprint.Digest) redact.Places {
	if p == nil || p.of != content {
		return nil
	}
	return p.made
}
