package publish

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A Record lists what was published at a place. It is a file there, so that any machine can publish the next version.
// Nobody can guess its name, because it contains the names of files that may be unlisted.
type Record struct {
	Schema   string           `json:"schema"`
	Version  int              `json:"version"`
	Form     Form             `json:"form"`
	Salt     string           `json:"salt,omitempty"` // of encrypted files, in hexadecimal
	Sessions []Session        `json:"sessions"`
	Out      []TakenOut       `json:"takenOut"` // sessions that must not be published again
	Files    map[string]Entry `json:"files"`

	name string // of its file, "" before it is written
	data []byte // of its file, as read
}

// A Session is a published session.
type Session struct {
	ID        string    `json:"id"` // see Form.IDOf
	Page      string    `json:"page"`
	Title     string    `json:"title,omitempty"` // "" if it is encrypted
	Facts     string    `json:"facts,omitempty"` // encrypted: what the list of sessions shows
	Published time.Time `json:"published"`
	Expires   time.Time `json:"expires,omitzero"`
}

// A TakenOut is a session that must not be published again.
type TakenOut struct {
	ID      string    `json:"id"` // see Form.IDOf
	Since   time.Time `json:"since"`
	Expired bool      `json:"expired,omitempty"` // false if somebody revoked it
}

// An Entry is a published file.
type Entry struct {
	MD5 string `json:"md5"`           // of its bytes, in hexadecimal
	Tag string `json:"tag,omitempty"` // see File.Tag
}

// A Form is how sessions are published.
type Form string

// The forms.
const (
	Site              Form = "site"               // pages, lists and search
	Unlisted          Form = "unlisted"           // one file a session, under a name that nobody can guess, and no list
	Encrypted         Form = "encrypted"          // one encrypted file a session, and an encrypted list
	EncryptedUnlisted Form = "encrypted unlisted" // without the list
)

// IsEncrypted reports whether pages ask for a password.
func (f Form) IsEncrypted() bool { return f == Encrypted || f == EncryptedUnlisted }

// IDOf returns the id of a session in records. For encrypted pages it is a digest of the id, because agents make ids of
// file names, which must not be readable without the password.
func (f Form) IDOf(id string) string {
	if f.IsEncrypted() {
		return digestOf(id)
	}
	return id
}

func digestOf(id string) string {
	sum := sha256.Sum256([]byte("session\n" + id))
	return hex.EncodeToString(sum[:16])
}

const (
	recordSchema  = "viewer/published"
	recordVersion = 1
	recordPrefix  = "published-"
	recordSuffix  = ".json"
)

func isRecord(name string) bool {
	middle, ok := strings.CutPrefix(name, recordPrefix)
	middle, json := strings.CutSuffix(middle, recordSuffix)
	_, err := hex.DecodeString(middle)
	return ok && json && err == nil && len(middle) == 32
}

// IsOut reports whether a session must not be published again.
func (r *Record) IsOut(id string) bool {
	digest := digestOf(id) // it may have been published in another form
	return slices.ContainsFunc(r.Out, func(o TakenOut) bool { return o.ID == id || o.ID == digest })
}

// TakeOut marks a session as one that must not be published again.
func (r *Record) TakeOut(o TakenOut) {
	if !r.IsOut(o.ID) {
		r.Out = append(r.Out, o)
	}
}

// Published returns the first session with an id, or nil.
func (r *Record) Published(id string) *Session {
	for s := range r.AllPublished(id) {
		return s
	}
	return nil
}

// AllPublished returns the sessions with an id.
func (r *Record) AllPublished(id string) iter.Seq[*Session] {
	digest := digestOf(id)
	return func(yield func(*Session) bool) {
		for i := range r.Sessions {
			if s := &r.Sessions[i]; (s.ID == id || s.ID == digest) && !yield(s) {
				return
			}
		}
	}
}

// Next returns a record for the same place, with the same sessions taken out and no published ones.
func (r *Record) Next() *Record {
	return &Record{
		Schema: recordSchema, Version: recordVersion, Form: r.Form, Out: slices.Clone(r.Out),
		Files: make(map[string]Entry), name: r.name,
	}
}

func (r *Record) encode() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", " ")
	return append(data, '\n'), err
}

// Read reads the record of a place. It is empty if nothing was published there.
func (p *Place) Read(ctx context.Context) (*Record, error) {
	r := (&Record{}).Next()
	for name := range p.objects {
		if !isRecord(name) {
			continue
		}
		if r.name != "" {
			return nil, failure.New(
				fmt.Errorf("%s holds two lists of what was published, %s and %s", p.Name, r.name, name),
				"two runs at once have written them: remove the older one, and publish again")
		}
		r.name = name
	}
	if r.name == "" {
		return r, nil
	}
	data, err := fs.ReadFile(storage.Files{Bucket: p.bucket, Context: ctx}, r.name)
	if err != nil {
		return nil, fmt.Errorf("reading %s/%s: %w", p.Name, r.name, failure.Cause(err))
	}
	r = &Record{name: r.name, data: data}
	if err = json.Unmarshal(data, r); err == nil {
		err = r.check()
	}
	known := (*failure.Error)(nil)
	switch {
	case errors.As(err, &known):
		return nil, failure.New(fmt.Errorf("reading %s/%s: %w", p.Name, r.name, known.Err), known.Hint)
	case err != nil:
		return nil, fmt.Errorf("reading %s/%s: %w", p.Name, r.name, err)
	}
	return r, nil
}

// check returns an error for a record of an unknown version, or one that names files outside of the place.
func (r *Record) check() error {
	if r.Schema != recordSchema || r.Version != recordVersion {
		return failure.New(fmt.Errorf("version %d is unknown", r.Version),
			"use the version of viewer that published it")
	}
	for name := range r.Files {
		first, _, _ := strings.Cut(name, "/")
		if !fs.ValidPath(name) || name == "." || strings.EqualFold(first, ".git") || isRecord(name) {
			return fmt.Errorf("%q is not the name of a published file", name)
		}
	}
	if r.Files == nil {
		return errors.New("it lists no files")
	}
	return nil
}

// NewName returns 128 random bits in hexadecimal.
func NewName() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
