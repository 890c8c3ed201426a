package main

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"viewer/internal/encrypt"
	"viewer/internal/failure"
	"viewer/internal/publish"
	"viewer/internal/sitegen"
	"viewer/internal/sitegen/output"
)

// chooseForm sets in the next record how sessions are published. It is an error if this would change encrypted or
// unlisted sessions into something else, because a flag may have been forgotten.
func (f *publishFlags) chooseForm(u *ui, place *publish.Place, old, next *publish.Record) error {
	encrypted := f.ask || f.passwordFlags.file != ""
	form := publish.Site
	switch {
	case encrypted && f.unlisted:
		form = publish.EncryptedUnlisted
	case encrypted:
		form = publish.Encrypted
	case f.unlisted:
		form = publish.Unlisted
	}
	if len(f.revoke) > 0 && old.Form != "" {
		form = old.Form
		if form == publish.Encrypted && !encrypted {
			return usagef("the list at %s is encrypted: name its password with --password-file", place.Name)
		}
	}
	if old.Form != "" && form != old.Form && !f.force {
		return &failure.Error{
			Err:  fmt.Errorf("what is published at %s is %s, and would be %s", place.Name, inWords(old.Form), inWords(form)),
			Hint: "say --password-file and --unlisted as before, or --force if you mean it",
		}
	}
	next.Form = form
	if !old.Form.IsEncrypted() { // what it has is named as the next record does it
		for i := range next.Out {
			next.Out[i].ID = form.IDOf(next.Out[i].ID)
		}
		for i := range old.Sessions {
			old.Sessions[i].ID = form.IDOf(old.Sessions[i].ID)
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

// pageFacts has the facts of a session that the list of sessions shows.
type pageFacts struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Project string    `json:"project"`
	Start   time.Time `json:"start"`
}

// factsOf decrypts the facts of a session. They are empty without the key.
func factsOf(key *encrypt.Key, s publish.Session) (facts pageFacts) {
	if key == nil || s.Facts == "" {
		return facts
	}
	text, err := key.OpenText(s.Facts)
	if err == nil {
		err = json.Unmarshal([]byte(text), &facts)
	}
	if err != nil {
		return pageFacts{}
	}
	return facts
}

// errOtherPassword is the error for sessions that were encrypted with another password.
var errOtherPassword = errors.New("it was encrypted with another password")

// keyOf returns the key of the published sessions, nil without a password.
func (f *publishFlags) keyOf(u *ui, place *publish.Place, r *publish.Record) (*encrypt.Key, error) {
	if r.Salt == "" || !f.ask && f.passwordFlags.file == "" {
		return nil, nil
	}
	password, err := f.password(u)
	if err != nil {
		return nil, err
	}
	key, err := encrypt.KeyOf(password, r.Salt)
	if err != nil {
		return nil, fmt.Errorf("reading the list of %s: %w", place.Name, err)
	}
	for _, s := range r.Sessions {
		if _, err := key.OpenText(s.Facts); err != nil {
			return nil, &failure.Error{
				Err:  fmt.Errorf("reading the list of %s: %w", place.Name, errOtherPassword),
				Hint: "name that password; --force encrypts all that is chosen with the new one",
			}
		}
	}
	return key, nil
}

// newKey returns the key to encrypt with, nil for a form that is not encrypted.
func (f *publishFlags) newKey(u *ui, p *publication) (*encrypt.Key, error) {
	if p.next.Form != publish.Encrypted && p.next.Form != publish.EncryptedUnlisted {
		return nil, nil
	}
	key, err := f.keyOf(u, p.place, p.old)
	if errors.Is(err, errOtherPassword) && f.force && len(f.revoke) == 0 {
		key, err = nil, nil
	}
	if key == nil && err == nil && len(f.revoke) == 0 {
		var password string
		if password, err = f.password(u); err == nil {
			key, err = encrypt.NewKey(password)
		}
	}
	p.next.Salt = p.old.Salt
	if key != nil {
		p.next.Salt = key.Salt()
	}
	return key, err
}

// buildSessions draws each session as one file, which is encrypted if there is a key.
func (f *publishFlags) buildSessions(ctx context.Context, u *ui, p *publication) (made prepared, err error) {
	key, err := f.newKey(u, p)
	if err != nil {
		return made, err
	}
	if len(f.revoke) == 0 {
		if made, err = f.drawSessions(ctx, u, p, key); err != nil {
			return made, err
		}
	}
	f.keepSessions(ctx, p, &made)
	if p.next.Form == publish.Encrypted {
		if err := addList(p, key, &made); err != nil {
			return made, err
		}
	}
	made.facts = make(map[string]pageFacts)
	for _, s := range slices.Concat(p.old.Sessions, made.sessions) { // the newer ones count
		made.facts[s.ID] = factsOf(key, s)
	}
	made.files = append(made.files, f.fixedFiles()...)
	return made, nil
}

func (f *publishFlags) drawSessions(ctx context.Context, u *ui, p *publication, key *encrypt.Key) (
	made prepared, err error) {
	o := sitegen.Options{
		Sources: p.sources, Pricing: f.pricing, Redaction: f.redaction(), Version: version,
		Unread: u.unread, Fault: u.leftOut,
	}
	if o.Filter, err = f.filter(); err != nil {
		return made, err
	}
	o.Filter.Without = p.without(ctx)
	var mu sync.Mutex
	made.report, err = sitegen.EachPublishedPage(ctx, o, func(page sitegen.PublishedPage) error {
		one := publish.Session{ID: p.next.Form.IDOf(page.ID), Page: publish.NewName() + ".html"}
		known := p.old.Published(page.ID)
		if known != nil && p.old.Form != publish.Site {
			one.Page = known.Page
		}
		html := f.published(page.HTML)
		facts := pageFacts{page.ID, page.Title, page.Project, page.Start}
		if key == nil {
			one.Title = page.Title
		} else if err := encryptFacts(key, &one, known, facts); err != nil {
			return err
		}
		file, err := spooled(p.spool, key, one.Page, html)
		mu.Lock()
		defer mu.Unlock()
		made.sessions = append(made.sessions, one)
		made.files = append(made.files, file)
		return err
	})
	if errors.Is(err, sitegen.ErrNone) && len(p.next.Out) > 0 {
		err = nil // all sessions were taken out
	}
	return made, err
}

// encryptFacts encrypts facts, unless the session has the same already.
func encryptFacts(key *encrypt.Key, s, known *publish.Session, facts pageFacts) error {
	data, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	if known != nil {
		if text, err := key.OpenText(known.Facts); err == nil && text == string(data) {
			s.Facts = known.Facts
			return nil
		}
	}
	s.Facts = key.Text(string(data))
	return nil
}

// spooled is a file whose page waits in a temporary file to be published.
func spooled(spool *output.Spool, key *encrypt.Key, name string, html []byte) (publish.File, error) {
	span, err := spool.Put(html)
	file := publish.File{Name: name, Size: int64(len(html))}
	if key == nil {
		file.MD5 = md5.Sum(html)
		file.Data = func() ([]byte, error) { return spool.Get(span) }
		return file, err
	}
	file.Tag = key.Tag(html)
	file.Data = func() ([]byte, error) {
		html, err := spool.Get(span)
		if err != nil {
			return nil, err
		}
		return key.Page(html)
	}
	return file, err
}

// keepSessions adds the published sessions that stay although they are not drawn. In a revocation these are all that
// are not revoked, otherwise those whose files are missing.
func (f *publishFlags) keepSessions(ctx context.Context, p *publication, made *prepared) {
	if p.old.Form != p.next.Form || p.old.Salt != p.next.Salt || f.prune && len(f.revoke) == 0 {
		return
	}
	there := make(map[string]bool)
	for _, s := range made.sessions {
		there[s.ID] = true
	}
	if len(f.revoke) == 0 {
		for _, s := range sitegen.IDs(ctx, p.sources) {
			there[p.next.Form.IDOf(s[0])] = true
		}
	}
	for _, s := range p.old.Sessions {
		if !there[s.ID] && !p.next.IsOut(s.ID) {
			made.sessions = append(made.sessions, s)
			made.files = append(made.files, publish.File{Name: s.Page, Kept: true})
		}
	}
}

// addList adds the encrypted list of the sessions, the newest first.
func addList(p *publication, key *encrypt.Key, made *prepared) error {
	if len(made.sessions) == 0 {
		return nil
	}
	var list []sitegen.ListedPage
	for _, s := range made.sessions {
		facts := factsOf(key, s)
		list = append(list, sitegen.ListedPage{
			Page: s.Page, Title: facts.Title, Project: facts.Project, Start: facts.Start,
		})
	}
	slices.SortFunc(list, func(a, b sitegen.ListedPage) int {
		return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.Page, b.Page))
	})
	file, err := spooled(p.spool, key, "index.html", sitegen.PublishedList(list, version))
	made.files = append(made.files, file)
	return err
}
