// Package publication prepares the files to publish: a site or single pages, without sessions that were revoked or have
// expired, and the record of published sessions. It never copies them to their destination: package publish does.
package publication

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"viewer/internal/encrypt"
	"viewer/internal/failure"
	"viewer/internal/publish"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
)

// Options choose which sessions are published, and how.
type Options struct {
	Build     sitegen.Options // for reading sessions: Sources, Filter, Redaction and others
	Notes     bool            // publish notes, too
	Public    bool            // let search engines find the pages
	Unlisted  bool            // one file for each session, without a list
	Encrypted bool            // encrypt pages with the password
	Force     bool            // replace sessions that were published in another form
	Expire    time.Duration   // time until a session is removed, 0 for never
	Revoke    []string        // sessions to remove; no others are published then
	Again     []string        // removed sessions to publish again
	Now       time.Time

	Password func() (string, error)                              // asks for it, once
	Progress func() (update func(sitegen.Progress), done func()) // starts to show the progress of a build
}

// A Publication is the published state of a place and the next one.
type Publication struct {
	Options
	Place     *publish.Place
	Old, Next *publish.Record
	Taken     []string       // ids of the sessions that are removed now
	Report    sitegen.Report // on what was drawn
	Staging   string         // the folder of the site, "" for single pages

	files    []publish.File
	sessions []publish.Session // without dates
	facts    map[string]Facts  // of encrypted sessions, by their ids in the record
	spool    output.Spool
}

// Open reads what is published at a destination. Options are set after it.
func Open(ctx context.Context, destination string) (*Publication, error) {
	place, err := publish.Open(ctx, destination)
	if err != nil {
		return nil, err
	}
	old, err := place.Read(ctx)
	if err != nil {
		place.Close()
		return nil, err
	}
	return &Publication{Place: place, Old: old, Next: old.Next()}, nil
}

// Close removes the prepared files.
func (p *Publication) Close() {
	p.spool.Close()
	p.Place.Close()
}

// Prepare draws the sessions and returns which files to write. The plan is valid until Close.
func (p *Publication) Prepare(ctx context.Context) (*publish.Plan, error) {
	if err := p.chooseForm(); err != nil {
		return nil, err
	}
	var err error
	if p.Taken, err = p.takeOut(ctx); err != nil {
		return nil, err
	}
	if len(p.Revoke) > 0 && p.Place.IsHistory() && !p.Force {
		return nil, failure.New(fmt.Errorf("the history of %s still contains revoked sessions", p.Place.Name),
			"--force replaces the history by one commit")
	}
	build := p.buildSessions
	if p.Next.Form == publish.Site {
		build = p.buildSite
	}
	if err := build(ctx); err != nil {
		return nil, err
	}
	p.record()
	return p.Place.Plan(p.files, p.Old, p.Next, p.Force)
}

// Facts returns the facts of a session that is encrypted at the place, as far as the password reveals them.
func (p *Publication) Facts(id string) Facts { return p.facts[id] }

// Reveal decrypts the facts of the sessions that are published, if there is a password.
func (p *Publication) Reveal() error {
	key, err := p.oldKey()
	if err == nil {
		p.readFacts(key, p.Old.Sessions)
	}
	return err
}

func (p *Publication) readFacts(key *encrypt.Key, sessions []publish.Session) {
	p.facts = make(map[string]Facts)
	for _, s := range sessions {
		p.facts[s.ID] = factsOf(key, s)
	}
}

// asBefore returns the flags for a form of publication in words.
func asBefore(form publish.Form) string {
	switch form {
	case publish.Encrypted:
		return "use --password-file without --unlisted"
	case publish.Unlisted:
		return "use --unlisted without a password"
	case publish.EncryptedUnlisted:
		return "use --password-file and --unlisted"
	}
	return "leave out --unlisted and passwords"
}

// chooseForm sets the form of publication in the next record. It is an error if encrypted or unlisted sessions would
// get another form, because a flag may have been forgotten.
func (p *Publication) chooseForm() error {
	form := publish.Site
	switch {
	case p.Encrypted && p.Unlisted:
		form = publish.EncryptedUnlisted
	case p.Encrypted:
		form = publish.Encrypted
	case p.Unlisted:
		form = publish.Unlisted
	}
	if len(p.Revoke) > 0 && p.Old.Form != "" {
		form = p.Old.Form
		if form == publish.Encrypted && !p.Encrypted {
			return failure.Usagef("the list at %s is encrypted: name its password with --password-file", p.Place.Name)
		}
	}
	if p.Old.Form != "" && form != p.Old.Form && !p.Force {
		return &failure.Error{
			Err: fmt.Errorf("what is published at %s is %s, and would be %s", p.Place.Name, inWords(p.Old.Form),
				inWords(form)),
			Hint: asBefore(p.Old.Form) + ", as before, or use --force to replace it",
		}
	}
	p.Next.Form = form
	if !p.Old.Form.IsEncrypted() { // ids are as in the next record
		for i := range p.Next.Out {
			p.Next.Out[i].ID = form.IDOf(p.Next.Out[i].ID)
		}
		for i := range p.Old.Sessions {
			p.Old.Sessions[i].ID = form.IDOf(p.Old.Sessions[i].ID)
		}
	}
	return nil
}

func inWords(f publish.Form) string {
	if f == publish.Site {
		return "a site that all can read"
	}
	return string(f)
}

// takeOut marks sessions in the next record as removed: those of the last record, those that are revoked now, and those
// that have expired. It returns the newly removed ones.
func (p *Publication) takeOut(ctx context.Context) ([]string, error) {
	var ids, published []string
	for _, s := range p.Old.Sessions {
		published = append(published, s.ID)
	}
	known, err := p.knownIDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range p.Again {
		var out []string
		for _, o := range p.Next.Out {
			out = append(out, o.ID)
		}
		id, err := theOne(p.Place, out, known, name, "revoked or expired")
		if err != nil {
			return nil, err
		}
		p.Next.Out = slices.DeleteFunc(p.Next.Out, func(o publish.TakenOut) bool { return o.ID == id })
	}
	for _, name := range p.Revoke {
		id, err := theOne(p.Place, published, known, name, "published")
		if err != nil {
			return nil, err
		}
		p.Next.TakeOut(publish.TakenOut{ID: id, Since: p.Now})
		ids = append(ids, id)
	}
	for _, s := range p.Old.Sessions {
		if !s.Expires.IsZero() && !s.Expires.After(p.Now) && !p.Next.IsOut(s.ID) {
			p.Next.TakeOut(publish.TakenOut{ID: s.ID, Since: p.Now, Expired: true})
			ids = append(ids, s.ID)
		}
	}
	return ids, nil
}

// knownIDs returns the ids of sessions for which the record of encrypted pages has digests, as far as the password and
// the sources reveal them. It only looks if the user names a session.
func (p *Publication) knownIDs(ctx context.Context) (map[string]string, error) {
	known := make(map[string]string)
	if !p.Old.Form.IsEncrypted() || len(p.Again)+len(p.Revoke) == 0 {
		return known, nil
	}
	for _, s := range sitegen.IDs(ctx, p.Build.Sources) {
		known[p.Old.Form.IDOf(s[0])] = s[0]
	}
	key, err := p.oldKey()
	if err != nil {
		return nil, err
	}
	for _, s := range p.Old.Sessions {
		if facts := factsOf(key, s); facts.ID != "" {
			known[s.ID] = facts.ID
		}
	}
	return known, nil
}

func noPublished(place *publish.Place, name, state string) error {
	return &failure.Error{
		Err:  fmt.Errorf("no session %s is %s at %s", name, state, place.Name),
		Hint: "viewer publish " + place.Name + " --list shows what is there",
	}
}

// theOne returns the id of a record that is name, or the only one that begins with it. known has the ids of sessions
// for which the record has digests.
func theOne(place *publish.Place, ids []string, known map[string]string, name, state string) (string, error) {
	var found, said []string
	for _, id := range ids {
		real := cmp.Or(known[id], id)
		switch {
		case id == name || real == name:
			return id, nil
		case name != "" && (strings.HasPrefix(id, name) || strings.HasPrefix(real, name)):
			found, said = append(found, id), append(said, real)
		}
	}
	switch len(found) {
	case 0:
		return "", noPublished(place, name, state)
	case 1:
		return found[0], nil
	}
	return "", failure.Usagef("%s is ambiguous: %s", name, strings.Join(said, ", "))
}

// without returns the ids of the removed sessions. If the record has only digests, it finds their ids in the sources.
func (p *Publication) without(ctx context.Context) (ids []string) {
	if len(p.Next.Out) == 0 {
		return nil
	}
	for _, o := range p.Next.Out {
		ids = append(ids, o.ID)
	}
	for _, s := range sitegen.IDs(ctx, p.Build.Sources) {
		if p.Next.IsOut(s[0]) && !slices.Contains(ids, s[0]) {
			ids = append(ids, s[0])
		}
	}
	return ids
}

// record adds the published sessions to the record, with their earlier dates.
func (p *Publication) record() {
	for _, one := range p.sessions {
		one.Published = p.Now
		if known := p.Old.Published(one.ID); known != nil {
			one.Published, one.Expires = known.Published, known.Expires
		}
		if p.Expire > 0 && one.Expires.IsZero() {
			one.Expires = one.Published.Add(p.Expire)
		}
		p.Next.Sessions = append(p.Next.Sessions, one)
	}
	slices.SortFunc(p.Next.Sessions, func(a, b publish.Session) int { return strings.Compare(a.Page, b.Page) })
}
