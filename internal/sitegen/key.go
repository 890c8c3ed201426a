package sitegen

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"runtime/debug"
	"slices"

	"viewer/assets"
	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/templates"
)

// base returns a hash of what all pages depend on: the program, and the options that change pages. The program is
// identified by its version, and by its file if it was built from a modified tree.
func (o Options) base() fingerprint.Digest {
	h := o.programHash()
	fingerprint.Add(h, fmt.Sprint(o.Personal, o.NoSearch, o.Tables, o.Sample != nil, o.Compare != nil),
		string(o.pricesKey[:]), string(o.rulesKey[:]))
	fingerprint.Add(h, o.Failures...)
	if o.Large != 0 {
		fingerprint.Add(h, fmt.Sprint(o.Large))
	}
	return fingerprint.Digest(h.Sum(nil)[:16])
}

// program returns a hash of what pages depend on apart from options.
func (o Options) program() fingerprint.Digest {
	return fingerprint.Digest(o.programHash().Sum(nil)[:len(fingerprint.Digest{})])
}

func (o Options) programHash() hash.Hash {
	h := sha256.New()
	build, committed := buildOf()
	fingerprint.Add(h, o.Version, build)
	if !committed { // then its assets and templates may differ from those of another with this version
		for _, f := range assets.Files() {
			fingerprint.Add(h, f.Name)
		}
		addTemplates(h)
	}
	return h
}

// addTemplates adds all templates to a hash.
func addTemplates(h hash.Hash) {
	err := fs.WalkDir(templates.FS, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.FS, name)
		fingerprint.Add(h, name, string(text))
		return err
	})
	if err != nil {
		panic(err) // they are embedded
	}
}

// buildOf identifies the build of this program. committed reports whether that is the commit of everything in it.
func buildOf() (id string, committed bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	revision, modified := "", true
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if revision != "" && !modified {
		return revision, true
	}
	name, err := os.Executable()
	if err != nil {
		return info.Main.Version, false
	}
	file, err := os.Stat(name)
	if err != nil {
		return info.Main.Version, false
	}
	return fmt.Sprint(info.Main.Version, file.Size(), file.ModTime().UnixNano()), false
}

// key returns a hash of what the pages of a session depend on, except for base: the content of its files, its names,
// and what it takes from other sessions.
func (r *sessionReader) key() fingerprint.Digest {
	s, p := r.session, r.project
	e := make(codec.Encoder, 0, 512) // enough for most sessions
	e.Text(s.folder, s.title, s.given, p.Name, p.Path, p.titles(), s.main.scanned.place.worktree)
	e.Bool(p.several)
	e.Int(int64(len(r.files)))
	for i, f := range r.files {
		e.Text(f.path)
		e.Digest(r.contents[i])
	}
	e.Int(int64(len(s.related)))
	for _, k := range s.related {
		e.Text(k.how, k.session.folder, k.title)
		e.Time(k.at)
	}
	if s.family != nil {
		e.Digest(s.family.key(r.reader))
	}
	e = append(e, s.notesKey()...)
	return fingerprint.Of(e)
}

// titles returns a hash of the titles that sessions of a project give to records of other sessions.
func (p *project) titles() string {
	if len(p.summaries) == 0 {
		return ""
	}
	p.hashing.Do(func() {
		h := sha256.New()
		for _, leaf := range slices.Sorted(maps.Keys(p.summaries)) {
			fingerprint.Add(h, leaf, p.summaries[leaf])
		}
		p.titlesKey = string(h.Sum(nil))
	})
	return p.titlesKey
}
