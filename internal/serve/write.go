package serve

import (
	"crypto/subtle"
	"errors"
	"io"
	"mime"
	"net/http"
)

// writePath is the path for data of pages.
const writePath = ownPrefix + "notes"

// maxSent limits what a page may send, in bytes.
const maxSent = 64 << 10

// tokenHeader has the token, which only pages of this server know. A page of another site cannot set it without a
// preflight request, and those are refused.
const tokenHeader = "Viewer-Token"

// write accepts data that a page of this server sends. The request must have the origin of this server and the token of
// this run; any other is refused before its body is read.
func (s *Server) write(w http.ResponseWriter, r *http.Request) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case r.Header.Get("Origin") != "http://"+r.Host, site != "" && site != "same-origin":
		refuse(w, http.StatusForbidden, "Only pages of this server may write.")
		return
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(s.token)) != 1:
		refuse(w, http.StatusForbidden, "This page is from another run of the server: reload it.")
		return
	case err != nil || kind != "application/json":
		refuse(w, http.StatusUnsupportedMediaType, "Only JSON is accepted.")
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxSent))
	if err != nil {
		code := http.StatusBadRequest
		if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
			code = http.StatusRequestEntityTooLarge
		}
		refuse(w, code, "The note is too long, or part of it did not arrive.")
		return
	}
	if err := s.o.Write(data); err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
