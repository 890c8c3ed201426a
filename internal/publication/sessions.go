package publication

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
)

// Facts are the details of a session in the list.
type Facts struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Project string    `json:"project"`
	Start   time.Time `json:"start"`
}

// factsOf decrypts the facts of a session. They are empty without the key.
func factsOf(key *encrypt.Key, s publish.Session) (facts Facts) {
	if key == nil || s.Facts == "" {
		return facts
	}
	text, err := key.OpenText(s.Facts)
	if err == nil {
		err = json.Unmarshal([]byte(text), &facts)
	}
	if err != nil {
		return Facts{}
	}
	return facts
}

// errOtherPassword is the error for sessions that were encrypted with another password.
var errOtherPassword = errors.New("it was encrypted with another password")

// oldKey returns the key of the sessions that are published, nil without a password.
func (p *Publication) oldKey() (*encrypt.Key, error) {
	if p.Old.Salt == "" || !p.Encrypted {
		return nil, nil
	}
	password, err := p.Password()
	if err != nil {
		return nil, err
	}
	key, err := encrypt.KeyOf(password, p.Old.Salt)
	if err != nil {
		return nil, fmt.Errorf("reading the list of %s: %w", p.Place.Name, err)
	}
	for _, s := range p.Old.Sessions {
		if _, err := key.OpenText(s.Facts); err != nil {
			return nil, &failure.Error{
				Err:  fmt.Errorf("reading the list of %s: %w", p.Place.Name, errOtherPassword),
				Hint: "name that password; --force encrypts all that is chosen with the new one",
			}
		}
	}
	return key, nil
}

// newKey returns the key to encrypt with, nil for a form that is not encrypted.
func (p *Publication) newKey() (*encrypt.Key, error) {
	if p.Next.Form != publish.Encrypted && p.Next.Form != publish.EncryptedUnlisted {
		return nil, nil
	}
	key, err := p.oldKey()
	if errors.Is(err, errOtherPassword) && p.Force && len(p.Revoke) == 0 {
		key, err = nil, nil
	}
	if key == nil && err == nil && len(p.Revoke) == 0 {
		var password string
		if password, err = p.Password(); err == nil {
			key, err = encrypt.NewKey(password)
		}
	}
	p.Next.Salt = p.Old.Salt
	if key != nil {
		p.Next.Salt = key.Salt()
	}
	return key, err
}

// buildSessions draws each session as one file, which is encrypted if there is a key.
func (p *Publication) buildSessions(ctx context.Context) error {
	key, err := p.newKey()
	if err != nil {
		return err
	}
	if len(p.Revoke) == 0 {
		if err := p.drawSessions(ctx, key); err != nil {
			return err
		}
	}
	p.keepSessions(ctx)
	if p.Next.Form == publish.Encrypted {
		if err := p.addList(key); err != nil {
			return err
		}
	}
	p.readFacts(key, slices.Concat(p.Old.Sessions, p.sessions)) // the newer ones count
	p.files = append(p.files, p.fixedFiles()...)
	return nil
}

func (p *Publication) drawSessions(ctx context.Context, key *encrypt.Key) error {
	o := sitegen.Options{
		Sources: p.Build.Sources, Filter: p.Build.Filter, Pricing: p.Build.Pricing, Redaction: p.Build.Redaction,
		Version: p.Build.Version, Unread: p.Build.Unread, Fault: p.Build.Fault,
	}
	o.Filter.Without = p.without(ctx)
	var mu sync.Mutex
	var drawn []*drawnPage
	report, err := sitegen.EachPublishedPage(ctx, o, func(page sitegen.PublishedPage) error {
		file, err := p.spooled(key, p.published(page.HTML))
		mu.Lock()
		defer mu.Unlock()
		drawn = append(drawn, &drawnPage{facts: Facts{page.ID, page.Title, page.Project, page.Start}, file: file})
		return err
	})
	p.Report = report
	if errors.Is(err, sitegen.ErrNone) && len(p.Next.Out) > 0 {
		err = nil // all sessions were removed
	}
	if err != nil {
		return err
	}
	p.recognize(key, drawn)
	for _, d := range drawn {
		one := publish.Session{ID: p.Next.Form.IDOf(d.facts.ID), Page: publish.NewName() + ".html"}
		if d.known != nil && p.Old.Form != publish.Site {
			one.Page = d.known.Page
		}
		if key == nil {
			one.Title = d.facts.Title
		} else if err := encryptFacts(key, &one, d.known, d.facts); err != nil {
			return err
		}
		d.file.Name = one.Page
		p.sessions, p.files = append(p.sessions, one), append(p.files, d.file)
	}
	return nil
}

// A drawnPage is the page of a session that was drawn.
type drawnPage struct {
	facts Facts
	file  publish.File     // without its name
	known *publish.Session // the session in the record, nil if it is new
}

// recognize finds the sessions in the record. Several may have one id, such as copies of a log that were continued on
// two machines. Each keeps its own page: the one with the same content or else the same facts, or else any.
func (p *Publication) recognize(key *encrypt.Key, drawn []*drawnPage) {
	taken := make(map[*publish.Session]bool)
	for _, same := range []func(d *drawnPage, known *publish.Session) bool{
		func(d *drawnPage, known *publish.Session) bool { return d.file.Has(p.Old.Files[known.Page]) },
		func(d *drawnPage, known *publish.Session) bool {
			if key == nil {
				return known.Title == d.facts.Title
			}
			facts := factsOf(key, *known)
			return facts.Project == d.facts.Project && facts.Start.Equal(d.facts.Start) && facts.Title == d.facts.Title
		},
		func(*drawnPage, *publish.Session) bool { return true },
	} {
		for _, d := range drawn {
			for known := range p.Old.AllPublished(d.facts.ID) {
				if d.known == nil && !taken[known] && same(d, known) {
					d.known, taken[known] = known, true
				}
			}
		}
	}
}

// encryptFacts encrypts facts, unless the session has the same already.
func encryptFacts(key *encrypt.Key, s, known *publish.Session, facts Facts) error {
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

// spooled returns a file, without a name, whose page waits in a temporary file to be published.
func (p *Publication) spooled(key *encrypt.Key, html []byte) (publish.File, error) {
	span, err := p.spool.Put(html)
	file := publish.File{Size: int64(len(html))}
	if key == nil {
		file.MD5 = md5.Sum(html)
		file.Data = func() ([]byte, error) { return p.spool.Get(span) }
		return file, err
	}
	file.Tag = key.Tag(html)
	file.Data = func() ([]byte, error) {
		html, err := p.spool.Get(span)
		if err != nil {
			return nil, err
		}
		return key.Page(html)
	}
	return file, err
}

// keepSessions adds published sessions that are kept without being drawn: those whose files are missing or, in a
// revocation, all that are not revoked.
func (p *Publication) keepSessions(ctx context.Context) {
	if p.Old.Form != p.Next.Form || p.Old.Salt != p.Next.Salt || p.Build.Prune && len(p.Revoke) == 0 {
		return
	}
	there := make(map[string]bool)
	for _, s := range p.sessions {
		there[s.ID] = true
	}
	if len(p.Revoke) == 0 {
		for _, s := range sitegen.IDs(ctx, p.Build.Sources) {
			there[p.Next.Form.IDOf(s[0])] = true
		}
	}
	for _, s := range p.Old.Sessions {
		if !there[s.ID] && !p.Next.IsOut(s.ID) {
			p.sessions = append(p.sessions, s)
			p.files = append(p.files, publish.File{Name: s.Page, Kept: true})
		}
	}
}

// addList adds the encrypted list of the sessions, the newest first.
func (p *Publication) addList(key *encrypt.Key) error {
	if len(p.sessions) == 0 {
		return nil
	}
	var list []sitegen.ListedPage
	for _, s := range p.sessions {
		facts := factsOf(key, s)
		list = append(list, sitegen.ListedPage{
			Page: s.Page, Title: facts.Title, Project: facts.Project, Start: facts.Start,
		})
	}
	slices.SortFunc(list, func(a, b sitegen.ListedPage) int {
		return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.Page, b.Page))
	})
	file, err := p.spooled(key, sitegen.PublishedList(list, p.Build.Version))
	file.Name = "index.html"
	p.files = append(p.files, file)
	return err
}
