// Package assets embeds the stylesheet, the script and the icons of the pages. Their
// names contain a hash of their content, so that a browser never uses an old
// version. It has no other code.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"strings"
	"sync"
)

//go:embed css js live
var parts embed.FS

// Icons is a sheet of <symbol> elements with ids i-NAME, to stand once in each
// page: a file opened from disk may not use symbols of another file.
//
//go:embed icons.svg
var Icons string

// A File is an asset as it is published.
type File struct {
	Name string // viewer.<hash>.css
	Text string
}

// The files that every page loads. Their parts are in an order: of rules of
// equal weight the last one wins, and the script starts in its last part.
var (
	Stylesheet = sync.OnceValue(func() File {
		return named("viewer", "css", joined("css", "css",
			"tokens", "base", "bar", "outline", "session", "strip", "prompt", "prose", "row", "tool", "code",
			"changes", "compare", "terminal", "line", "purpose", "typed", "agent", "box", "index", "insights", "finder",
			"verdict", "notes", "script", "sent", "story", "level", "small", "foot-bar", "pane", "paper", "preference"))
	})
	Script = sync.OnceValue(func() File {
		const says = "// What pages gain where scripts run. " +
			"Loaded with async: theme and level come first, the rest waits for the parser.\n"
		return named("viewer", "js", says+"(() => {\n\"use strict\";\n"+joined("js", "js",
			"core", "packed", "theme", "time", "link", "place", "folds", "outline", "find", "search", "pages",
			"markdown", "source", "scroll", "copy", "keys", "failures", "bar", "pane", "index",
			"matrix", "start")+"})();\n")
	})
)

// The files that pages load besides these when they are served while sessions
// run. They are not of the site: nothing in it listens to a server.
var (
	LiveStylesheet = sync.OnceValue(func() File { return named("live", "css", joined("live", "css", "live")) })
	LiveScript     = sync.OnceValue(func() File {
		return named("live", "js", "// How a served page follows its session. Loaded before the page's own script, to see the page as it was written.\n"+
			"(() => {\n\"use strict\";\n"+joined("js", "js", "core", "place")+
			joined("live", "js", "patch", "keep", "follow", "running", "stream", "note", "start")+"})();\n")
	})
)

// Files lists all assets to publish.
func Files() []File { return []File{Stylesheet(), Script()} }

// joined puts the parts of an asset one after the other. Each is listed once:
// a test checks that.
func joined(folder, kind string, names ...string) string {
	var b strings.Builder
	b.Grow(5 << 10 * len(names)) // a little more than they take
	for _, name := range names {
		text, err := parts.ReadFile(folder + "/" + name + "." + kind)
		if err != nil {
			panic(err) // a name in the list above that has no file
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String()
}

func named(base, ext, text string) File {
	sum := sha256.Sum256([]byte(text))
	return File{Name: strings.Join([]string{base, hex.EncodeToString(sum[:5]), ext}, "."), Text: text}
}
