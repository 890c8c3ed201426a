//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
)

// A forgeComment is a comment of a pull request, in the form of GitHub's API.
type forgeComment struct {
	ID   int64     `json:"id"`
	Body string    `json:"body"`
	User forgeUser `json:"user"`
}

type forgeUser struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

// A forge is a server that answers like GitHub's API for pull request 7 of the repository a/b.
type forge struct {
	comments []forgeComment
	user     string // the owner of the token; "" for the token of a job, which has no user
	readOnly bool
	tokens   []string // of the requests, in order
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.tokens = append(f.tokens, r.Header.Get("Authorization"))
	answer := func(status int, body any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	refuse := func() {
		answer(http.StatusForbidden, map[string]string{"message": "Resource not accessible by integration"})
	}
	var sent forgeComment
	if data, err := io.ReadAll(r.Body); err == nil && len(data) > 0 {
		if err := json.Unmarshal(data, &sent); err != nil {
			answer(http.StatusBadRequest, map[string]string{"message": "Problems parsing JSON"})
			return
		}
	}
	author := forgeUser{"github-actions[bot]", "Bot"}
	if f.user != "" {
		author = forgeUser{f.user, "User"}
	}
	switch {
	case r.URL.Path == "/user" && f.user == "":
		refuse()
	case r.URL.Path == "/user":
		answer(http.StatusOK, author)
	case r.Method == http.MethodGet && r.URL.Path == "/repos/a/b/issues/7/comments":
		page, _ := strconv.Atoi(r.URL.Query().Get("page")) // an invalid number gives a page without comments
		from := min(max(0, 100*(page-1)), len(f.comments))
		answer(http.StatusOK, f.comments[from:min(from+100, len(f.comments))])
	case f.readOnly:
		refuse()
	case r.Method == http.MethodPost && r.URL.Path == "/repos/a/b/issues/7/comments":
		f.comments = append(f.comments, forgeComment{int64(1000 + len(f.comments)), sent.Body, author})
		answer(http.StatusCreated, map[string]string{"html_url": "https://example.com/new"})
	case r.Method == http.MethodPatch:
		for i := range f.comments {
			if strings.HasSuffix(r.URL.Path, fmt.Sprintf("/repos/a/b/issues/comments/%d", f.comments[i].ID)) {
				f.comments[i].Body = sent.Body
				answer(http.StatusOK, map[string]string{"html_url": "https://example.com/changed"})
				return
			}
		}
		fallthrough
	default:
		answer(http.StatusNotFound, map[string]string{"message": "Not Found"})
	}
}

// Payloads of events: a pull request of the repository, one from a fork, and a comment on one.
const (
	eventOfPull    = `{"pull_request":{"number":7,"head":{"repo":{"full_name":"a/b"}},"base":{"repo":{"full_name":"a/b"}}}}`
	eventOfFork    = `{"pull_request":{"number":7,"head":{"repo":{"full_name":"c/b"}},"base":{"repo":{"full_name":"a/b"}}}}`
	eventOfComment = `{"issue":{"number":7,"pull_request":{"url":"u"}}}`
	eventOfIssue   = `{"issue":{"number":7}}`
)

// TestActionComment runs the action against a fake of GitHub's API. The action must post one comment for each job and
// replace it in the next run. If it cannot post, it must print a line and not fail.
func TestActionComment(t *testing.T) {
	corpus.Long(t)
	for _, program := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	built := filepath.Dir(builtProgram(t))
	var f forge
	server := httptest.NewServer(&f)
	defer server.Close()
	use := func(t *testing.T, event string, with map[string]string) actionRun {
		t.Helper()
		dir := workspace(t)
		write(t, filepath.Join(dir, "run.jsonl"), streamOfRun)
		write(t, filepath.Join(dir, "..", "event.json"), event)
		all := map[string]string{
			"path": "run.jsonl", "comment": "true", "GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "a/b",
			"GITHUB_EVENT_PATH": filepath.Join(dir, "..", "event.json"), "GITHUB_EVENT_NAME": "push",
			"GITHUB_WORKFLOW": "Agent --> x", "GITHUB_JOB": "agent", "GITHUB_RUN_ID": "42",
			"GITHUB_SERVER_URL": "https://github.com",
		}
		for name, value := range with {
			all[name] = value
		}
		return useAction(t, dir, built, all)
	}

	t.Run("posts, and replaces what it posted", func(t *testing.T) {
		const marker = "<!-- viewer report: Agent - x / agent -->\n"
		f = forge{}
		for i := range 130 { // the new comment is on the second page
			f.comments = append(f.comments, forgeComment{int64(i), "looks good", forgeUser{"ann", "User"}})
		}
		f.comments[3].Body = marker + "mine, says somebody else"
		run := use(t, eventOfPull, nil)
		posted := strings.Contains(run.log, "comment: https://example.com/new\n")
		if run.err != nil || !posted || len(f.comments) != 131 {
			t.Fatalf("error %v, %d comments, want 131 with a new one\n%s", run.err, len(f.comments), run.log)
		}
		first := f.comments[130].Body
		if !strings.HasPrefix(first, marker+"## Agent work") ||
			!strings.HasSuffix(first, "\n[The run that this is about](https://github.com/a/b/actions/runs/42)\n") {
			t.Errorf("got comment\n%s\nwant it to begin with the marker and the title, and to end with a link to the run",
				first)
		}
		run = use(t, eventOfComment, map[string]string{"fail-on": "turns=1"})
		if run.err == nil || !strings.Contains(run.log, "comment: https://example.com/changed\n") ||
			len(f.comments) != 131 || !strings.Contains(f.comments[130].Body, "## ❌ 3 turns, more than 1") {
			t.Errorf("error %v, %d comments, want a failure and 131, the last one changed\n%s",
				run.err, len(f.comments), run.log)
			t.Errorf("the last comment is\n%s", f.comments[130].Body)
		}
		for _, token := range f.tokens {
			if token != "Bearer of-the-job" {
				t.Errorf("a request has token %q, want that of the job", token)
			}
		}
	})
	t.Run("with the token of a person", func(t *testing.T) {
		f = forge{user: "bo"}
		for _, want := range []string{"new", "changed"} {
			run := use(t, "{}", map[string]string{"pull-request": "7", "github-token": "of-bo"})
			if run.err != nil || !strings.Contains(run.log, "https://example.com/"+want) || len(f.comments) != 1 {
				t.Errorf("error %v, %d comments, want 1 that is %s\n%s", run.err, len(f.comments), want, run.log)
			}
		}
		if f.tokens[0] != "Bearer of-bo" {
			t.Errorf("the first request has token %q, want that of bo", f.tokens[0])
		}
	})
	for _, c := range []struct {
		name, event, want string
		readOnly          bool
		with              map[string]string
	}{
		{"no permission", eventOfPull, "::warning title=viewer comment::no comment was posted: HTTP 403: " +
			"Resource not accessible by integration; the job needs permissions: pull-requests: write\n", true, nil},
		{"a fork", eventOfFork, "::notice title=viewer comment::no comment was posted: the pull request comes from a " +
			"fork, whose runs have a token that only reads (HTTP 403: ", true, nil},
		{"an issue", eventOfIssue, "no comment was posted: a run of the event push has no pull request; ", false, nil},
		{"no token", eventOfPull, "no comment was posted: there is no token; give one as github-token\n", false,
			map[string]string{"github-token": ""}},
		{"no number", eventOfPull, "no comment was posted: pull-request is not a number: $(id)%0A::error::x\n", false,
			map[string]string{"pull-request": "$(id)\n::error::x"}},
		{"no such pull request", eventOfPull, "no comment was posted: HTTP 404: Not Found; ", false,
			map[string]string{"pull-request": "8"}},
		{"no service", eventOfPull, "no comment was posted: http://127.0.0.1:1 does not answer: curl: ", false,
			map[string]string{"GITHUB_API_URL": "http://127.0.0.1:1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f = forge{readOnly: c.readOnly}
			run := use(t, c.event, c.with)
			if run.err != nil || !strings.Contains(run.log, c.want) || len(f.comments) != 0 {
				t.Errorf("error %v, %d comments, want none, and %q in\n%s", run.err, len(f.comments), c.want, run.log)
			}
		})
	}
	t.Run("turned off", func(t *testing.T) {
		f = forge{}
		if run := use(t, eventOfPull, map[string]string{"comment": "false"}); run.err != nil || len(f.tokens) > 0 {
			t.Errorf("error %v, requests with tokens %q, want no request", run.err, f.tokens)
		}
	})
}
