package serve

import (
	"fmt"
	"html"
	"net/http"
	"path"
	"strings"
)

// The tag of the content security policy in every page of a site. A page may do only what both the tag and the header
// allow.
const (
	policyStart = `<meta http-equiv="Content-Security-Policy" content="`
	policyEnd   = `">`
	headEnd     = "</head>"
)

// adapt makes a page follow changes: its policy allows connections to this server, and the live script loads before the
// other scripts, so that it sees the page as it was written. at is the last change that the page may contain.
func (s *Server) adapt(page, at string) string {
	if len(s.o.Live) == 0 {
		return page
	}
	end := strings.Index(page, headEnd)
	if end < 0 {
		return page
	}
	var scripts, sheets strings.Builder
	fmt.Fprintf(&scripts, "\n<meta name=\"viewer-live\" content=\"%s\">", at)
	if s.token != "" {
		fmt.Fprintf(&scripts, "\n<meta name=\"viewer-notes\" content=\"%s\">", s.token)
	}
	for _, f := range s.o.Live {
		if path.Ext(f.Name) == ".js" {
			fmt.Fprintf(&scripts, "\n<script src=\"%s%s\"></script>", ownPrefix, f.Name)
		} else {
			fmt.Fprintf(&sheets, "<link rel=\"stylesheet\" href=\"%s%s\">\n", ownPrefix, f.Name)
		}
	}
	head, rest := page[:end], page[end:]
	if from := strings.Index(head, policyStart); from >= 0 {
		if n := strings.Index(head[from:], policyEnd); n >= 0 {
			n += from
			after := n + len(policyEnd)
			return head[:n] + "; connect-src 'self'" + head[n:after] + scripts.String() + head[after:] +
				sheets.String() + rest
		}
	}
	return head + scripts.String() + sheets.String() + rest
}

// tags returns the names of the files that pages load additionally, as a short text.
func (s *Server) tags() string {
	var b strings.Builder
	for _, f := range s.o.Live {
		b.WriteString("." + strings.TrimSuffix(f.Name, path.Ext(f.Name)))
	}
	return b.String()
}

const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page</title>
<link rel="stylesheet" href="%s%s">
</head>
<body>
<main id="main">
<h1>No such page</h1>
<p class="meta">It may have been removed, or never have been there.</p>
<p><a href="/">All sessions</a></p>
</main>
</body>
</html>
`

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", types[".html"])
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Del("Content-Disposition")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		fmt.Fprintf(w, notFoundPage, ownPrefix, html.EscapeString(s.o.Style.Name))
	}
}
