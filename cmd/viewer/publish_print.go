package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/publication"
	"viewer/internal/publish"
	"viewer/internal/words"
)

// showPlan prints what will be published.
func showPlan(u *ui, p *publication.Publication, plan *publish.Plan) {
	touched := make(map[string]bool) // files, and folders of sessions
	for _, file := range slices.Concat(plan.New, plan.Changed) {
		touched[file.Name], touched[path.Dir(file.Name)] = true, true
	}
	line := func(s publish.Session) string {
		facts := p.Facts(s.ID)
		return console.OneLine(shortID(cmp.Or(facts.ID, s.ID))) + "  " +
			words.Line(cmp.Or(s.Title, facts.Title, "(title encrypted)"), 80)
	}
	var added, changed, gone []string
	for _, s := range p.Next.Sessions {
		switch {
		case p.Old.Published(s.ID) == nil:
			added = append(added, "new      "+line(s))
		case touched[s.Page] || path.Dir(s.Page) != "." && touched[path.Dir(s.Page)]:
			changed = append(changed, "changed  "+line(s))
		}
	}
	for _, s := range p.Old.Sessions {
		if p.Next.Published(s.ID) == nil {
			gone = append(gone, "removed  "+line(s))
		}
	}
	u.print("to %s\n", p.Place.Name)
	u.table("sessions", []count{
		{"new", len(added)}, {"changed", len(changed)}, {"removed", len(gone)},
		{"as they are", len(p.Next.Sessions) - len(added) - len(changed)},
		{"stay out: revoked or expired", len(p.Next.Out)},
	})
	for _, line := range slices.Concat(added, changed, gone) {
		u.print("  %s\n", line)
	}
	u.table("files", []count{
		{"new", len(plan.New)}, {"changed", len(plan.Changed)}, {"removed", len(plan.Removed)},
		{"as they are", plan.Same},
		{"of others, which stay", plan.Others},
	})
	detailFiles(u, plan)
	u.table("redacted", byCount(p.Report.Ledger.Redacted))
	if n := p.Report.Unsure(); n > 0 {
		u.print("\n%s of these only look like secrets; others may have been missed: read the pages in\n%s\n",
			words.Count(n), cmp.Or(p.Staging, p.Place.Name))
	}
	if p.Notes {
		u.print("\nnotes about the sessions go out, too\n")
	}
	if p.Public {
		u.print("\nsearch engines may find the pages\n")
	}
	u.print("\n")
}

// detailFiles prints which files will be written and removed, if details are wanted.
func detailFiles(u *ui, plan *publish.Plan) {
	u.detail("%s to write", words.Size(int(plan.Bytes)))
	for _, file := range plan.New {
		u.detail("new: %s", file.Name)
	}
	for _, file := range plan.Changed {
		u.detail("changed: %s", file.Name)
	}
	for _, name := range plan.Removed {
		u.detail("removed: %s", name)
	}
}

// printAddresses prints the addresses of new sessions, which nothing else lists.
func printAddresses(u *ui, p *publication.Publication) {
	for _, s := range p.Next.Sessions {
		if p.Old.Published(s.ID) == nil {
			u.print("%s/%s  %s\n", p.Place.Name, s.Page, cmp.Or(s.Title, p.Facts(s.ID).Title))
		}
	}
}

func shortID(id string) string { return id[:min(len(id), 8)] }

// listPublished prints the sessions that are published at a place, and those that were taken out.
func listPublished(u *ui, p *publication.Publication) error {
	if len(p.Old.Sessions)+len(p.Old.Out) == 0 {
		return &failure.Error{
			Err:  fmt.Errorf("nothing is published at %s", p.Place.Name),
			Hint: "viewer publish " + p.Place.Name + " --dry-run shows what would be",
		}
	}
	if err := p.Reveal(); err != nil {
		return err
	}
	for _, s := range p.Old.Sessions {
		until := ""
		if !s.Expires.IsZero() {
			until = ", expires " + s.Expires.Format(time.DateOnly)
		}
		facts := p.Facts(s.ID)
		u.print("%s\n", console.OneLine(fmt.Sprintf("%s  since %s%s  %s/%s  %s", cmp.Or(facts.ID, s.ID),
			s.Published.Format(time.DateOnly), until, p.Place.Name, s.Page, cmp.Or(s.Title, facts.Title))))
	}
	for _, o := range p.Old.Out {
		why := "revoked"
		if o.Expired {
			why = "expired"
		}
		u.print("%s\n", console.OneLine(fmt.Sprintf("%s  %s on %s", o.ID, why, o.Since.Format(time.DateOnly))))
	}
	return nil
}

// warnOfCopies prints who may still have what was taken out.
func warnOfCopies(ctx context.Context, u *ui, place *publish.Place, n int, rewrite bool) {
	u.warn("%s taken out of %s: anyone who opened or copied the pages still has them", words.Plural(n, "session was",
		"sessions were"), place.Name)
	switch place.Kind {
	case publish.Bucket:
		u.line("caches may keep pages until they ask again, and media for a year: empty those in front of the bucket")
		u.line("a bucket with versioning keeps the old objects: delete their versions")
	case publish.Branch:
		switch {
		case !rewrite && place.IsHistory():
			u.line("they are still in the history of the branch: --force replaces it")
		case rewrite && !place.IsForgotten(ctx):
			u.line("the host keeps old commits for a while, and clones and forks keep them: ask it to remove them")
		}
		u.line("caches may keep pages for some minutes")
	default:
		u.line("a web server or caches in front of %s may keep pages and media for a while", place.Name)
	}
	u.line("search engines may keep what they have read: ask them to remove it")
}
