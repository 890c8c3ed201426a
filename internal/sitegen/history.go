package sitegen

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"viewer/internal/changes"
	"viewer/internal/markup"
	"viewer/internal/outcome"
	"viewer/internal/sitegen/redaction"
	"viewer/internal/sources"
	"viewer/normalize"
	"viewer/render"
)

// A FileHistory contains the edits of one file by sessions. Its texts are not redacted, because they are compared with
// the file.
type FileHistory struct {
	Steps    []FileStep // in the order in which they happened
	Sessions int        // number of sessions
	Covered  bool       // a session ran in a folder that contains the file
	Problems int        // number of problems in the sessions that have steps

	options Options
	survey  *survey
}

// A FileStep is one call of a session.
type FileStep struct {
	changes.Step
	Session *FileSession
}

// A FileSession is a session with a step.
type FileSession struct {
	ID, Short string
	Began     time.Time
	place     projectSession
}

// A FileCall describes a call. Like all texts of a session it is redacted.
type FileCall struct {
	Title  string // of the session
	Prompt string // its first words
	Model  string
	Page   string // link to the call in a site: "s/ab12/2.html#1f3c9a"
}

// Close closes the files of the sessions.
func (h *FileHistory) Close() { h.survey.close() }

// History finds the calls that touched a file, in the sessions that the filter chooses. names maps each absolute path
// that the file has or had to the name that stands for it.
func History(ctx context.Context, o Options, names map[string]string) (*FileHistory, error) {
	v, projects, err := o.chosen(ctx)
	if err != nil {
		return nil, err
	}
	h := &FileHistory{options: o, survey: v}
	raw := o
	raw.Originals, raw.Redaction = true, redaction.Settings{Off: true}
	if err := raw.ready(); err != nil {
		v.close()
		return nil, err
	}
	short := shortIDs(v.folders)
	var shown []string // the names, redacted as the folders of sessions are
	for name := range names {
		shown = append(shown, v.redactFacts(sources.Facts{CWD: name}).CWD)
	}
	var all []projectSession
	for _, p := range projects {
		for _, s := range p.sessions {
			all = append(all, projectSession{project: p, session: s})
			h.Covered = h.Covered || isBelowAny(shown, s.main.facts().CWD)
		}
	}
	h.Sessions = len(all)
	found := make([][]FileStep, len(all))
	problems := make([]int, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, at := range all {
		group.Go(func() error {
			if err := ctx.Err(); err != nil || !at.session.mentions(names) {
				return err
			}
			in, err := raw.read(at.project, at.session)
			if err != nil {
				if raw.skip(at.session, err) || raw.skipGone(at.session, err) {
					return nil
				}
				return err
			}
			session := &FileSession{ID: in.Conversation.ID, Short: short[at.session.id],
				Began: in.Conversation.Facts.Start, place: at}
			session.Short = cmp.Or(session.Short, session.ID)
			found[i] = stepsOn(in.Conversation, names, session)
			if found[i] != nil {
				problems[i] = len(in.Conversation.Problems)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		v.close()
		return nil, err
	}
	for i := range found {
		h.Problems += problems[i]
		h.Steps = append(h.Steps, found[i]...)
	}
	h.order()
	return h, nil
}

// isBelowAny reports whether one of the files is in a folder.
func isBelowAny(names []string, folder string) bool {
	for _, name := range names {
		if _, ok := changes.Below(changes.Clean(name, ""), folder); ok && folder != "" {
			return true
		}
	}
	return false
}

// mentions reports whether the log of a session contains one of the names. This is much faster than reading the
// session. A name that JSON may write in several ways counts as contained.
func (s *session) mentions(names map[string]string) bool {
	var wanted [][]byte
	for name := range names {
		base := path.Base(strings.ReplaceAll(name, `\`, "/"))
		for _, c := range []byte(base) {
			if c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
				return true
			}
		}
		wanted = append(wanted, []byte(base))
	}
	for _, f := range s.files() {
		data, release, err := f.borrow()
		if err != nil {
			return true // reading it reports the error
		}
		found := slices.ContainsFunc(wanted, func(name []byte) bool { return bytes.Contains(data, name) })
		packed := bytes.HasPrefix(data, []byte("\x1f\x8b")) || bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0
		release()
		if found || packed {
			return true
		}
	}
	return false
}

// stepsOn returns the steps of a session that touch one of the files.
func stepsOn(c *normalize.Conversation, names map[string]string, session *FileSession) []FileStep {
	var all []FileStep
	for _, s := range changes.Steps(c) {
		ops := s.Ops[:0:0]
		for _, op := range s.Ops {
			from, known := nameOf(changes.Clean(op.Path, c.Facts.CWD), names)
			to, renamed := nameOf(changes.Clean(op.To, c.Facts.CWD), names)
			if !known && !renamed {
				continue
			}
			op.Path = cmp.Or(from, changes.Clean(op.Path, c.Facts.CWD))
			if op.To != "" {
				op.To = cmp.Or(to, changes.Clean(op.To, c.Facts.CWD))
			}
			ops = append(ops, op)
		}
		if len(ops) > 0 {
			s.Ops = ops
			if s.Time.IsZero() {
				s.Time = session.Began
			}
			all = append(all, FileStep{s, session})
		}
	}
	return all
}

// nameOf returns the name that stands for a path. A path in a work tree of Claude Code stands for the same file.
func nameOf(name string, names map[string]string) (string, bool) {
	if n, ok := names[name]; ok {
		return n, true
	}
	if main := changes.MainTree(name); main != name {
		if _, ok := names[main]; ok {
			return name, true
		}
	}
	return "", false
}

// order sorts the steps of all sessions by time. A call that two logs contain counts once.
func (h *FileHistory) order() {
	slices.SortStableFunc(h.Steps, func(a, b FileStep) int {
		return cmp.Or(a.Time.Compare(b.Time), a.Session.Began.Compare(b.Session.Began))
	})
	met := make(map[string][]changes.Step)
	h.Steps = slices.DeleteFunc(h.Steps, func(s FileStep) bool {
		if s.ID == "" {
			return false
		}
		twice := slices.ContainsFunc(met[s.ID], s.IsCopyOf)
		met[s.ID] = append(met[s.ID], s.Step)
		return twice
	})
}

// Describe describes calls of one session, by their anchors.
func (h *FileHistory) Describe(s *FileSession, anchors map[string]bool) (map[string]FileCall, error) {
	in, err := h.options.read(s.place.project, s.place.session)
	if err != nil {
		return nil, fmt.Errorf("reading session %s: %w", s.ID, err)
	}
	calls := make(map[string]FileCall)
	planned := render.Open(in)
	title := outcome.Title(in.Conversation)
	var add func(c *normalize.Conversation, prompt string)
	add = func(c *normalize.Conversation, prompt string) {
		for _, t := range c.Turns {
			if c == in.Conversation && t.Asked() {
				prompt = markup.Excerpt(promptText(t), 120)
			}
			for _, item := range t.Items {
				g, ok := item.(*normalize.Group)
				if !ok || g.Call == nil {
					continue
				}
				if anchors[g.Call.Anchor] {
					call := FileCall{Title: title, Prompt: prompt, Page: "s/" + in.Folder + "/" +
						planned.PageOf(g.Call.Anchor) + "#" + g.Call.Anchor}
					if g.Call.Record.Message != nil {
						call.Model = g.Call.Record.Message.Model
					}
					calls[g.Call.Anchor] = call
				}
				for _, a := range g.Agents {
					add(a.Conversation, prompt)
				}
			}
		}
	}
	add(in.Conversation, "")
	for _, a := range in.Conversation.Agents {
		add(a.Conversation, "")
	}
	return calls, nil
}

// promptText returns what was asked.
func promptText(t *normalize.Turn) string {
	for _, m := range t.Prompt {
		if m.Kind == normalize.Prompt && m.Text != "" {
			return m.Text
		}
	}
	return ""
}
