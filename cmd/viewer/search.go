package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"viewer/internal/console"
	"viewer/internal/export"
	"viewer/internal/failure"
	"viewer/internal/search"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
)

type searchFlags struct {
	filterFlags
	redactFlags
	asJSON  bool
	limit   int
	site    string
	sources []string
}

func newSearch(u *ui) *cobra.Command {
	var f searchFlags
	c := &cobra.Command{
		Use:   "search QUERY... [-- SOURCE...]",
		Short: "Find messages in all sessions",
		Long: `search prints the messages that have all words of QUERY, by session, the best first.
Stop words (the, how, did, with) are dropped unless they are quoted or no other word is
left. If no message has all words, it prints those with the most and the rarest words,
and says so. It finds the same messages as the search on pages, in the same order.

A SOURCE, after -- or with --source, is a source of viewer build, or the folder of a
site, whose index is searched. For sessions, search uses the index of an up-to-date
site: the one in the folder "site" (see --site), or the one that viewer serve keeps.
Otherwise it reads the sessions, which takes seconds if there are many.

  word             a word, or a part of a name: parse finds parseHTTPHeader
  begin*           words that begin like this
  "some words"     consecutive words
  -word            not this word (after --: viewer search -- -word kind:prompt)
  kind:prompt      prompt, answer, thinking, tool, hook, event, title or note
  tool:Edit        calls of a tool
  is:error         calls that failed or that a hook blocked
  path:src/main    calls about a file
  project:x model:opus agent:claude-code after:2026-07-01 before:2026-08-01

Each message is printed with its address in a site.`,
		Example: `  viewer search retry backoff
  viewer search '"no such file" tool:Bash' --source ~/.claude/projects
  viewer search is:error path:settle/ -- site
  viewer search kind:prompt migration after:2026-06 --json | jq -r '.[].id'`,
		RunE: func(c *cobra.Command, args []string) error {
			words, sources := args, f.sources
			if n := c.ArgsLenAtDash(); n > 0 { // else the words themselves are after it
				words, sources = args[:n], append(sources, args[n:]...)
			}
			return searchAll(c.Context(), u, f, words, sources)
		},
	}
	addJSON(c, &f.asJSON)
	c.Flags().IntVarP(&f.limit, "limit", "n", 10, "print at most `N` messages")
	c.Flags().StringArrayVar(&f.sources, "source", nil,
		"`PATH` to search, instead of the usual folders; may be repeated")
	c.Flags().StringVar(&f.site, "site", "site",
		"use the index of the site in `FOLDER` if it is up to date")
	f.filterFlags.add(c)
	f.redactFlags.add(c)
	return c
}

func searchAll(ctx context.Context, u *ui, f searchFlags, words, sources []string) error {
	if f.limit < 1 {
		return usagef("--limit %d is invalid: at least 1", f.limit)
	}
	q, err := parseQuery(strings.Join(words, " "))
	if err != nil {
		return err
	}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	index, err := f.index(ctx, u, sources, sitegen.Options{
		Sources: sources, Filter: filter, Redaction: f.redaction(), Version: version, Fault: u.leftOut,
		Unread: u.unread,
	})
	if err != nil {
		return nothing(u, err, sources, f.asJSON, []jsonGroup{})
	}
	defer index.done()
	found, err := index.Find(q, f.limit)
	if err != nil {
		return err
	}
	groups, cut := best(found.Groups, f.limit)
	if len(groups) == 0 || found.Partial {
		printMissing(u, q, found, words)
	}
	if f.asJSON {
		return searchJSON(u, index.site, groups, found.Partial)
	}
	printGroups(u, groups)
	if found.More || cut {
		u.line("there may be more: --limit %d", 10*f.limit)
	}
	return nil
}

func parseQuery(query string) (search.Query, error) {
	if strings.TrimSpace(query) == "" {
		return search.Query{}, usagef("viewer search needs words to search for")
	}
	q := search.ParseQuery(query, search.Options{})
	if q.Empty() {
		return q, usagef("%q contains no word to search for", query)
	}
	if err := q.Check(); err != nil {
		return q, failure.Usage{Err: err}
	}
	for _, name := range q.Agents() {
		if _, err := sitegen.AgentID(name); err != nil {
			return q, usagef("agent: %w", err)
		}
	}
	return q, nil
}

// printGroups prints sessions with their hits.
func printGroups(u *ui, groups []search.Group) {
	p := console.Paint{On: u.colors(u.out)}
	for i, g := range groups {
		if i > 0 {
			u.print("\n")
		}
		u.print("%s  %s\n", p.As(console.Bold, console.Line(g.Session.Title)),
			p.As(console.Grey, console.Line(g.Session.Project)))
		for _, h := range g.Hits {
			kind := console.Styled(cmp.Or(console.Line(h.Tool), h.Kind.String()))
			if h.Failed {
				kind = p.As(console.Red, string(kind))
			}
			u.print("  %s  %s\n      %s\n", kind, p.As(console.Grey, address(g, h)), excerpt(h, p))
		}
	}
}

// best returns the first n hits, and whether others were left out.
func best(groups []search.Group, n int) (some []search.Group, cut bool) {
	for _, g := range groups {
		if n == 0 {
			return some, true
		}
		if len(g.Hits) > n {
			g.Hits, cut = g.Hits[:n], true
		}
		n -= len(g.Hits)
		some = append(some, g)
	}
	return some, cut
}

// printMissing prints that no message has all words, which words no session has, and which words are spelled similarly.
func printMissing(u *ui, q search.Query, found search.Found, words []string) {
	if found.Partial {
		u.line("no message has all words; best match")
	} else {
		u.line("nothing found")
	}
	for _, near := range found.Near {
		if len(near.Terms) > 0 {
			u.hint("%s is in no session: did you mean %s?", near.Word, strings.Join(near.Terms, " or "))
		} else if found.Partial {
			u.hint("%s is in no session", near.Word)
		}
	}
	for _, key := range q.Unknown() {
		u.hint("%s: is not a filter: it was searched for as a word", key)
	}
	hintSource(u, words)
}

// hintSource prints how to name a source, if a word seems to be one.
func hintSource(u *ui, words []string) {
	for _, w := range words {
		if _, err := os.Stat(w); err == nil && !strings.ContainsAny(w, " \"") {
			u.hint("%s was searched for as a word; --source %s searches in it", w, w)
			return
		}
	}
}

// A searched index is one of a site, or one that was made from sessions.
type searched struct {
	*search.Index
	site string // "" for one that was made from sessions
	done func()
}

// index returns the index of the given site, or of a site that a build of these sources would not change. Otherwise it
// reads the sources. done releases the index.
func (f searchFlags) index(ctx context.Context, u *ui, sources []string, o sitegen.Options) (x searched,
	err error) {
	x.done = func() {}
	if len(sources) == 1 && sitegen.IsSite(sources[0]) {
		if !reflect.DeepEqual(f.filterFlags, filterFlags{}) {
			return x, usagef("filters are unsupported for the site in %s: use project: and after: in the query",
				sources[0])
		}
		x.site = sources[0]
		x.Index, err = sitedata.Index(x.site)
		return x, err
	}
	if storage.IsAddress(f.site) {
		return x, usagef("--site %s is a bucket, whose index only its pages search: name a folder, or sessions to search",
			storage.Words(f.site))
	}
	sites := []string{f.site}
	flags := siteFlags{filterFlags: f.filterFlags, redactFlags: f.redactFlags}
	if served, err := flags.cachePath(sources); err == nil {
		sites = append(sites, served)
	}
	for _, dir := range sites {
		o.Out = dir
		index, err := sitegen.FreshIndex(ctx, o)
		if index != nil {
			u.detail("searching the index of the site in %s", dir)
		}
		if index != nil || err != nil {
			x.Index, x.site = index, dir
			return x, err
		}
	}
	x.Index, x.done, err = sitegen.SearchIndex(ctx, o)
	return x, err
}

// address returns the place of a hit in a site.
func address(g search.Group, h search.Hit) string {
	a := "s/" + g.Session.Folder + "/" + h.Page
	if h.Anchor != "" {
		a += "#" + h.Anchor
	}
	return a
}

// excerpt returns the line with the first match, with marks.
func excerpt(h search.Hit, p console.Paint) console.Styled {
	text, from := h.Text, 0
	if len(h.Spans) > 0 && h.Spans[0].Start > 60 {
		from = h.Spans[0].Start - 50
	}
	to := min(len(text), from+200)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	var b strings.Builder
	if from > 0 {
		b.WriteString("… ")
	}
	for _, s := range h.Spans {
		if s.Start < from || s.End > to {
			continue
		}
		b.WriteString(console.Text(flat(text[from:s.Start])))
		b.WriteString(string(p.As(console.BoldYellow, flat(text[s.Start:s.End]))))
		from = s.End
	}
	b.WriteString(console.Text(flat(text[from:to])))
	if to < len(text) {
		b.WriteString(" …")
	}
	return console.Styled(b.String())
}

// flat returns a piece of text on one line, with the blanks at its ends.
func flat(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteRune(r)
	}
	return b.String()
}

type jsonHit struct {
	Kind  string  `json:"kind"`
	Tool  string  `json:"tool,omitempty"`
	Path  string  `json:"path,omitempty"`
	Error bool    `json:"error,omitempty"` // the call failed
	Time  string  `json:"time,omitempty"`
	Page  string  `json:"page"` // in a site
	Score float64 `json:"score"`
	Text  string  `json:"text"`
}

type jsonGroup struct {
	ID      string    `json:"id"`
	Page    string    `json:"page"` // in a site
	Title   string    `json:"title"`
	Project string    `json:"project"`
	Partial bool      `json:"partial,omitempty"` // no message has all words
	Hits    []jsonHit `json:"hits"`
}

// idsOf returns the ids of sessions that an index has found, by the folders of their pages. site is the folder of the
// site that the index is from, "" if it was made from the sessions.
func idsOf(site string, groups []search.Group) (map[string]string, error) {
	ids := make(map[string]string)
	var folders []string
	for _, g := range groups {
		ids[g.Session.Folder] = g.Session.ID
		folders = append(folders, g.Session.Folder)
	}
	if site == "" {
		return ids, nil
	}
	return sitedata.IDs(site, folders)
}

func searchJSON(u *ui, site string, groups []search.Group, partial bool) error {
	ids, err := idsOf(site, groups)
	if err != nil {
		return fmt.Errorf("reading the ids of what was found: %w", err)
	}
	all := make([]jsonGroup, 0, len(groups))
	for _, g := range groups {
		folder := g.Session.Folder
		one := jsonGroup{
			ID: cmp.Or(ids[folder], folder), Page: "s/" + folder + "/index.html", Title: g.Session.Title,
			Project: g.Session.Project, Partial: partial,
		}
		for _, h := range g.Hits {
			hit := jsonHit{
				Kind: h.Kind.String(), Tool: h.Tool, Path: h.Path, Time: export.Stamp(h.Time), Error: h.Failed,
				Page: address(g, h), Score: h.Score, Text: string(excerpt(h, console.Paint{})),
			}
			one.Hits = append(one.Hits, hit)
		}
		all = append(all, one)
	}
	if err := u.printJSON(all, " "); err != nil {
		return fmt.Errorf("printing what was found: %w", err)
	}
	return nil
}
