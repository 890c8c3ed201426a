package blame

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"viewer/internal/export"
	"viewer/internal/sitegen"
)

// The Agent Trace format, version 0.1.0.
type (
	Trace struct {
		Version   string      `json:"version"`
		ID        string      `json:"id"`
		Timestamp string      `json:"timestamp"`
		VCS       *traceVCS   `json:"vcs,omitempty"`
		Tool      traceTool   `json:"tool"`
		Files     []traceFile `json:"files"`
	}
	traceVCS struct {
		Type     string `json:"type"`
		Revision string `json:"revision"`
	}
	traceTool struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	traceFile struct {
		Path          string              `json:"path"`
		Conversations []traceConversation `json:"conversations"`
	}
	traceConversation struct {
		URL         string           `json:"url,omitempty"`
		Contributor traceContributor `json:"contributor"`
		Ranges      []traceRange     `json:"ranges"`
	}
	traceContributor struct {
		Type  string `json:"type"`
		Model string `json:"model_id,omitempty"`
	}
	traceRange struct {
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
		Hash  string `json:"content_hash"`
	}
)

// AgentTrace returns the lines that calls wrote. Its time is that of the last call, and its id is a hash of the rest,
// so the same lines give the same trace.
func (b *Result) AgentTrace(version string) Trace {
	path := b.file
	if below, err := filepath.Rel(b.repo.Root, b.path); err == nil && b.repo.Root != "" && !strings.HasPrefix(below,
		"..") {
		path = below
	}
	t := Trace{Version: "0.1.0", Tool: traceTool{"viewer", version}}
	if b.repo.Revision != "" {
		t.VCS = &traceVCS{"git", b.repo.Revision}
	}
	file := traceFile{Path: filepath.ToSlash(path), Conversations: []traceConversation{}}
	places := make(map[*sitegen.FileStep]int)
	var latest time.Time
	for i := 0; i < len(b.lines); {
		s, n := b.lines[i].call, 1
		for i+n < len(b.lines) && b.lines[i+n].call == s {
			n++
		}
		if s != nil {
			at, known := places[s]
			if !known {
				at = len(file.Conversations)
				places[s] = at
				call := b.calls[s]
				file.Conversations = append(file.Conversations, traceConversation{URL: call.Page,
					Contributor: traceContributor{"ai", modelID(call.Model)}})
			}
			c := &file.Conversations[at]
			c.Ranges = append(c.Ranges, traceRange{b.lines[i].number, b.lines[i+n-1].number, hashOf(b.lines[i : i+n])})
			if s.Time.After(latest) {
				latest = s.Time
			}
		}
		i += n
	}
	t.Files, t.Timestamp = []traceFile{file}, export.Stamp(latest)
	whole, _ := json.Marshal(t) // all its fields can be encoded
	t.ID = uuid.NewSHA1(uuid.NameSpaceURL, whole).String()
	return t
}

// modelID returns the name of a model in traces, with its provider.
func modelID(model string) string {
	if strings.HasPrefix(model, "claude") {
		return "anthropic/" + model
	}
	return model
}

func hashOf(lines []fileLine) string {
	h := sha256.New()
	for _, l := range lines {
		_, _ = h.Write([]byte(l.text + "\n"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
