package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"viewer/internal/failure"
)

// types are the content types of all files of a site. Browsers save any other file instead of showing it.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".txt":  "text/plain; charset=utf-8",
	".png":  "image/png",
	".jpg":  "image/jpeg",
	".gif":  "image/gif",
	".webp": "image/webp",
	".avif": "image/avif",
	".bmp":  "image/bmp",
	".svg":  "image/svg+xml",
	".pdf":  "application/pdf",
}

// cleanPath returns the path of a requested file in the site's folder, "" for the folder itself, without a slash at its
// end. ok is false if the path is ambiguous or has a hidden element.
func cleanPath(r *http.Request) (name string, ok bool) {
	escaped := strings.ToLower(r.URL.EscapedPath())
	if strings.Contains(escaped, "%2f") || strings.Contains(escaped, "%5c") ||
		strings.ContainsAny(r.URL.Path, "\\\x00") {
		return "", false
	}
	name, ok = strings.CutPrefix(r.URL.Path, "/")
	if !ok {
		return "", false
	}
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		return "", r.URL.Path == "/"
	}
	if !fs.ValidPath(name) {
		return "", false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return "", false
		}
	}
	return name, true
}

// file serves a file of the site, or the page of a folder. It opens the folder of the site for each request, because
// the folder may have been replaced.
func (s *Server) file(w http.ResponseWriter, r *http.Request, name string) {
	root, err := os.OpenRoot(s.o.Dir)
	if err != nil {
		s.unreadable(w, r, err)
		return
	}
	defer root.Close()
	info, err := stat(root, name)
	if err == nil && info.IsDir() {
		if name != "" && !strings.HasSuffix(r.URL.Path, "/") {
			s.toFolder(w, r, root, name)
			return
		}
		name = path.Join(name, "index.html")
		info, err = stat(root, name)
	} else if strings.HasSuffix(r.URL.Path, "/") {
		err = fs.ErrNotExist
	}
	if name == "favicon.ico" && err != nil { // browsers ask for it of themselves
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err != nil || !info.Mode().IsRegular() { // opening a pipe would block
		s.unreadable(w, r, err)
		return
	}
	f, err := root.Open(name)
	if err != nil {
		s.unreadable(w, r, err)
		return
	}
	defer f.Close()
	s.serveFile(w, r, f, info)
}

// unreadable answers a request for a file that cannot be read. At the limit of open files, the page may well be there.
func (s *Server) unreadable(w http.ResponseWriter, r *http.Request, err error) {
	if failure.Exhausted(err) {
		w.Header().Set("Retry-After", retryAfter)
		refuse(w, http.StatusServiceUnavailable, "Too many files are open. Try again in a few seconds.")
		return
	}
	s.notFound(w, r)
}

func stat(root *os.Root, name string) (fs.FileInfo, error) {
	name = cmp.Or(name, ".")
	return root.Stat(name)
}

// toFolder redirects a browser to a folder's page. The name is a valid path, so it cannot lead to another host.
func (s *Server) toFolder(w http.ResponseWriter, r *http.Request, root *os.Root, name string) {
	if info, err := root.Stat(path.Join(name, "index.html")); err != nil || !info.Mode().IsRegular() {
		s.unreadable(w, r, err)
		return
	}
	http.Redirect(w, r, "/"+name+"/", http.StatusMovedPermanently)
}

// contentNamed matches names that contain a hash of the content: media/3bf0d1c47f6f666e.png,
// assets/viewer.0dc6679bc0.css.
var contentNamed = regexp.MustCompile(`(^|\.)[0-9a-f]{10,}\.[a-z]+$`)

// maxAdapted is the size in bytes above which a page is served unchanged.
const maxAdapted = 16 << 20

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, f *os.File, info fs.FileInfo) {
	h := w.Header()
	ext := path.Ext(info.Name())
	kind := types[ext]
	if kind == "" {
		kind = "application/octet-stream"
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("Content-Type", kind)
	if ext == ".html" && info.Size() <= maxAdapted {
		// Later changes are announced to the page, because it is read after this.
		at := s.log.lastID()
		html, err := io.ReadAll(io.LimitReader(f, maxAdapted))
		if err != nil {
			s.unreadable(w, r, err)
			return
		}
		s.servePage(w, r, html, at)
		return
	}
	h.Set("Cache-Control", "no-cache")
	if contentNamed.MatchString(info.Name()) {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	// Last-Modified has seconds only and misses a second change within one.
	h.Set("Etag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	http.ServeContent(w, r, "", time.Time{}, f)
}

// servePage serves an adapted page. Its tag is that of the file, because other differences do not matter.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request, html []byte, at string) {
	w.Header().Set("Cache-Control", "no-cache")
	sum := sha256.Sum256(html)
	w.Header().Set("Etag", `W/"`+hex.EncodeToString(sum[:12])+s.tags()+`"`)
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(s.adapt(string(html), at)))
}

// ownFile serves a file from memory.
func (s *Server) ownFile(w http.ResponseWriter, r *http.Request, name string) {
	f, ok := s.own[name]
	if !ok || name == "" {
		s.notFound(w, r)
		return
	}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(f.Text))
}
