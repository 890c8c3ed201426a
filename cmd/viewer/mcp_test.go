package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"viewer/internal/testing/corpus"
)

// TestMCP queries the program as an MCP server: about sources, one of which grows meanwhile, and about a site, which
// must stay unchanged.
func TestMCP(t *testing.T) {
	corpus.Long(t)
	viewer, dir := builtProgram(t), t.TempDir()
	file := filepath.Join(dir, "pump.go")
	write(t, file, "package pump\n// Open opens.\n")
	quoted, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	line := func(uuid, kind, content string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","sessionId":"aa11","cwd":"/w","timestamp":` +
			`"2026-05-01T10:00:00Z","message":{"role":"` + kind + `","content":` + content + "}}\n"
	}
	log := filepath.Join(dir, "projects", "-w", "aa11.jsonl")
	write(t, log, line("u1", "user", `"Write the pump, word postgres://keeper:qX7vRt92mLw4@db/x"`)+
		line("u2", "assistant", `[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":`+string(quoted)+
			`,"content":"package pump\n// Open opens.\n"}}]`)+
		line("u3", "user", `[{"type":"tool_result","tool_use_id":"t1","content":"written"}]},"toolUseResult":`+
			`{"type":"create","content":"package pump\n// Open opens.\n","filePath":`+string(quoted)))
	ask := func(c *mcp.ClientSession, tool string, args map[string]any) string {
		t.Helper()
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*mcp.TextContent).Text
	}
	connect := func(args ...string) *mcp.ClientSession {
		t.Helper()
		command := exec.Command(viewer, append([]string{"mcp"}, args...)...)
		command.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "TZ=UTC")
		command.Stderr = t.Output()
		c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
			Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}

	out := filepath.Join(dir, "site")
	c := connect(filepath.Dir(filepath.Dir(log)), "-o", out)
	if got := ask(c, "search", map[string]any{"query": "pump"}); !strings.Contains(got, "session aa11") ||
		strings.Contains(got, "qX7vRt92mLw4") {
		t.Errorf("search gives %s, want session aa11 without its secret", got)
	}
	got := ask(c, "blame", map[string]any{"file": file})
	if !strings.Contains(got, "lines 1-2: session aa11, prompt 1, call of Write #") || strings.Contains(got, "Open") {
		t.Errorf("blame gives %s, want lines 1-2 of the call of Write, without the text of the prompt", got)
	}
	if got := ask(c, "blame", map[string]any{"file": filepath.Join(dir, "cache", "none")}); !strings.Contains(got,
		"no such file") {
		t.Errorf("blame of a missing file gives %s, want no such file", got)
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(line("u4", "assistant", `[{"type":"text","text":"The valve is new."}]`))
	if f.Close(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if strings.Contains(ask(c, "search", map[string]any{"query": "valve"}), "session aa11") {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the appended text is not found after a minute")
		}
	}
	if err := c.Close(); err != nil {
		t.Errorf("the program ends with error %v, want none", err)
	}

	if err := os.RemoveAll(filepath.Dir(log)); err != nil {
		t.Fatal(err)
	}
	c = connect(out)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 5 {
		t.Errorf("got %d tools (error %v), want 5", len(tools.Tools), err)
	}
	if got := ask(c, "turn", map[string]any{"session": "aa11"}); !strings.Contains(got, "The valve is new.") {
		t.Errorf("the turn from the site is %s, want its text", got)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the program ends with error %v, want none", err)
	}
}
