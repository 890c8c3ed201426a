package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"viewer/internal/blame"
	"viewer/internal/mcp"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen"
)

func newMCP(u *ui) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "mcp [SITE | SOURCE...]",
		Short: "Let coding agents look up sessions (MCP server on standard input and output)",
		Long: `mcp is a server of the Model Context Protocol on standard input and output, with which
coding agents look up earlier sessions. It only reads. Its tools are search,
list_sessions, session, turn, call and, for sources, blame.

It answers from the folder of a SITE, or from sources like viewer serve; without an
argument it reads the usual folders of coding agents. Answers are redacted like pages,
say that they are data, and have at most 4 KB; a cursor returns the rest.`,
		Example: `  claude mcp add sessions -- viewer mcp
  viewer mcp ~/.claude/projects --project 'ledger-*'
  viewer mcp site`,
		RunE: func(c *cobra.Command, args []string) error { return answerModel(c.Context(), u, f, args) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "",
		"folder to keep the site of the sources in, instead of the cache folder")
	f.siteFlags.add(c)
	return c
}

func answerModel(ctx context.Context, u *ui, f serveFlags, sources []string) error {
	if f.noSearch {
		return usagef("--no-search is unsupported: the answers are those of the index")
	}
	o := mcp.Options{Version: version, Agent: sitegen.AgentID}
	if len(sources) == 1 && sitegen.IsSite(sources[0]) {
		o.Site = sitedata.NewReader(sources[0])
	} else {
		if f.out == "" {
			var err error
			if f.out, err = f.cacheFolder(sources, elsewhere); err != nil {
				return err
			}
			f.pruneFiltered = true // the folder is only for these flags
		}
		b := newRebuilder(u, f.siteFlags, sources)
		if _, err := b.firstBuild(ctx); err != nil {
			return err
		}
		defer func() {
			if err := b.close(); err != nil {
				u.complain(err)
			}
		}()
		o.Site = sitedata.NewReader(f.out)
		o.Refresh = refresher(b)
		o.Blame = f.blamer(u, sources)
	}
	err := mcp.Run(ctx, o, os.Stdin, keepOpen{u.out.Raw()})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("exchanging messages on standard input and output: %w", err)
	}
	return nil
}

// refreshInterval is the maximum age of the site of an answer. Models ask several questions at once.
const refreshInterval = 2 * time.Second

// refresher returns a function that updates the site before an answer. If that fails, it prints the error to standard
// error, and the site stays as it is.
func refresher(b *rebuilder) func(context.Context) error {
	var mu sync.Mutex
	last := time.Now()
	return func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) < refreshInterval {
			return nil
		}
		_ = b.update(ctx)
		last = time.Now()
		return ctx.Err()
	}
}

// blamer returns a function that lists which call wrote which range of lines. It leaves out the text of the lines,
// because a file of the user is not redacted.
func (f *serveFlags) blamer(u *ui, sources []string) func(ctx context.Context, file, lines string) (string, error) {
	flags := blameFlags{redactFlags: f.redactFlags, sources: sources}
	return func(ctx context.Context, file, lines string) (string, error) {
		var only blame.Lines
		var err error
		if lines != "" {
			if only, err = blame.ParseLines(lines); err != nil {
				return "", err
			}
		}
		b, err := flags.answer(ctx, u, file, only, time.Time{})
		if err != nil {
			return "", err
		}
		return b.Ranges(), nil
	}
}

// keepOpen is standard output, but its Close does nothing: it is closed when the program ends.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }
