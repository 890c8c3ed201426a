package outcome

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Commit is a commit that a command of the session made, or the program itself.
type Commit struct {
	SHA     string             // as short as the log has it, "" if unknown
	Subject string             // "" if unknown
	Call    *normalize.Message // or the remark of the program
	branch  string             // as git printed it, "" if unknown
	amends  bool               // it replaces the commit before it on its branch
	command string             // that made it without a word of git, otherwise ""
	silent  bool               // only that git said nothing against it tells that it made it
	unsure  bool               // whether git made it is not known yet
	soon    bool               // only a log in the output of the same call may tell
}

// String returns what is known of the commit: "1a2b3c4 Subject".
func (c Commit) String() string { return strings.TrimSpace(c.SHA + " " + c.Subject) }

// A Push is a push of a branch.
type Push struct {
	Branch string // "" if unknown
	Call   *normalize.Message
}

// A PullRequest is a pull request that the session made or changed, or that its log names.
type PullRequest struct {
	Number int
	URL    string
	Call   *normalize.Message // the last one about it, nil if only a record names it
}

// maxGit limits the commits, the pushes and the pull requests of a session.
const maxGit = 500

// git records what a shell call did to a repository. The output of git tells it, even if the call failed: a commit
// stays when the push after it is rejected. Newer logs also state it (gitOperation), but only one commit without its
// subject, so that counts where the output does not tell.
func (f *Facts) git(r *reading) {
	start := r.call.Start
	if start.Result == nil {
		return
	}
	var told Facts
	output := ""
	if mentionsGit(r.call.Text()) {
		output = r.call.Output()
		var committing [][]string
		for i, s := range r.commands {
			if mayCommit(s.Words) {
				committing = append(committing, s.Words)
			} else {
				told.gitCommand(r, i, output)
			}
		}
		if told.Commits = printedCommits(committing, output, start.Call); len(told.Commits) == 0 {
			told.Commits = quietCommits(r)
		}
	}
	told.gitOperation(transcript.Field(start.Result.Structured(), "gitOperation"), start.Call)
	for _, c := range told.Commits {
		f.commit(c)
	}
	for _, p := range told.Pushes {
		f.push(p)
	}
	for _, p := range told.PullRequests {
		f.pullRequest(p.URL, p.Call)
	}
	f.logged(output)
	f.Commits = slices.DeleteFunc(f.Commits, func(c Commit) bool { return c.unsure && c.soon })
}

func mentionsGit(command string) bool {
	return strings.Contains(command, "git") || strings.Contains(command, "gh ") || strings.Contains(command, "glab ")
}

// gitOperation adds what the log states about a call, if nothing of its kind is known of the call.
func (f *Facts) gitOperation(v jsontext.Value, call *normalize.Message) {
	c := transcript.Field(v, "commit")
	switch sha := transcript.String(transcript.Field(c, "sha")); {
	case len(f.Commits) == 0:
		isAmended := transcript.String(transcript.Field(c, "kind")) == "amended"
		f.commit(Commit{SHA: sha, Call: call, amends: isAmended})
	case sha != "" && len(f.Commits) == 1 && f.Commits[0].SHA == "":
		f.Commits[0].SHA, f.Commits[0].unsure = sha, false
	}
	if p := transcript.Field(v, "push"); transcript.Kind(p) == '{' && len(f.Pushes) == 0 {
		f.push(Push{transcript.String(transcript.Field(p, "branch")), call})
	}
	if pr := transcript.Field(v, "pr"); transcript.Kind(pr) == '{' {
		f.pullRequest(transcript.String(transcript.Field(pr, "url")), call)
	}
}

// committed matches what git prints about a commit: "[main 1a2b3c4] Subject", "[main (root-commit) 1a2b3c4] Subject".
var committed = expression(`(?m)^\[([^\n]{1,200}?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{0,300})$`)

// pushed matches what git prints about a branch that it pushed: "   1a2b3c4..5d6e7f8  main -> main",
// " * [new branch] a -> b". Redaction may have put blanks and brackets into its name.
var pushed = expression(
	`(?m)^ [ +*] ?(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[new branch\])\s+` +
		`[^\n]{1,300}? -> ([^\n]{1,300}?)(?: \([^\n]*)?$`)

// pulled matches the address of a pull or merge request.
var pulled = expression(`https://[\w.-]{1,100}/[\w./-]{1,200}/(?:pull|merge_requests)/[0-9]{1,9}\b`)

func (f *Facts) gitCommand(r *reading, i int, output string) {
	switch words, call := r.commands[i].Words, r.call.Start.Call; {
	case shell.Runs(words, "git", "push") && !slices.Contains(words, "--dry-run") && !slices.Contains(words, "-n"):
		for _, m := range pushed().FindAllStringSubmatch(output, maxGit) {
			f.push(Push{m[1], call})
		}
		if len(f.Pushes) == 0 && isQuietPush(words) && r.succeeded(i) {
			f.push(Push{pushedBranch(words), call})
		}
	case shell.Runs(words, "gh", "pr", "create"), shell.Runs(words, "glab", "mr", "create"):
		for _, url := range pulled().FindAllString(output, maxGit) {
			f.pullRequest(url, call)
		}
	}
}

// mayCommit reports whether a simple command can make commits.
func mayCommit(words []string) bool {
	for _, sub := range []string{"commit", "merge", "cherry-pick", "revert"} {
		if shell.Runs(words, "git", sub) {
			return true
		}
	}
	return false
}

// isAmend reports whether a simple command replaces the last commit.
func isAmend(words []string) bool {
	return shell.Runs(words, "git", "commit") && slices.Contains(words, "--amend")
}

// printedCommits returns the commits of which git printed a line. If they are not as many as the commands of a call
// that commit, it is not clear which of them amended.
func printedCommits(committing [][]string, output string, call *normalize.Message) (all []Commit) {
	if len(committing) == 0 {
		return nil
	}
	printed := committed().FindAllStringSubmatch(output, maxGit)
	allAmend := !slices.ContainsFunc(committing, func(words []string) bool { return !isAmend(words) })
	for i, m := range printed {
		amends := allAmend || len(printed) == len(committing) && isAmend(committing[i])
		subject := strings.TrimSpace(m[3])
		all = append(all, Commit{SHA: m[2], Subject: subject, Call: call, branch: m[1], amends: amends})
	}
	return all
}

// commit records a commit once, since several commands of one call share the same output. One that amends another
// replaces it.
func (f *Facts) commit(c Commit) {
	known := slices.ContainsFunc(f.Commits, func(k Commit) bool { return k.SHA == c.SHA })
	if known && c.SHA != "" || c.SHA == "" && c.command == "" {
		return
	}
	f.Commits = slices.DeleteFunc(f.Commits, func(k Commit) bool { // it was not made, so it was tried again
		return k.silent && k.SHA == "" && k.Subject != "" && k.Subject == c.Subject && !c.amends
	})
	if c.amends && !c.unsure {
		for i, k := range slices.Backward(f.Commits) {
			if k.branch == c.branch || k.branch == "" || c.branch == "" {
				if c.Subject == "" && strings.Contains(c.command, "--no-edit") {
					c.Subject = k.Subject
				}
				f.Commits = slices.Delete(f.Commits, i, i+1)
				break
			}
		}
	}
	if len(f.Commits) < maxGit {
		f.Commits = append(f.Commits, c)
	}
}

// noted adds the commits that the program made by itself, without those that it took back.
func (f *Facts) noted(c *normalize.Conversation) {
	for _, t := range c.Turns {
		for _, item := range t.Items {
			m, ok := item.(*normalize.Message)
			if !ok || m.Kind != normalize.System || m.Name != "commit" {
				continue
			}
			sha := transcript.String(transcript.Field(m.Record.Raw, "sha"))
			if string(transcript.Field(m.Record.Raw, "undone")) == "true" {
				f.Commits = slices.DeleteFunc(f.Commits, func(k Commit) bool { return k.SHA == sha })
				continue
			}
			f.commit(Commit{SHA: sha, Subject: transcript.String(transcript.Field(m.Record.Raw, "subject")), Call: m})
		}
	}
}

func (f *Facts) push(p Push) {
	if len(f.Pushes) >= maxGit || slices.Contains(f.Pushes, p) {
		return
	}
	f.Pushes = append(f.Pushes, p)
}

func (f *Facts) pullRequest(url string, call *normalize.Message) {
	if url == "" {
		return
	}
	isSame := func(p PullRequest) bool { return p.URL == url }
	if len(f.PullRequests) < maxGit && !slices.ContainsFunc(f.PullRequests, isSame) {
		number, _ := strconv.Atoi(url[strings.LastIndexByte(url, '/')+1:])
		f.PullRequests = append(f.PullRequests, PullRequest{number, url, call})
	}
}

// linked adds the pull requests that records of the session name.
func (f *Facts) linked(c *normalize.Conversation) {
	for _, url := range c.Facts.PullRequests {
		f.pullRequest(url, nil)
	}
}

// committedSince reports whether there is a commit after the last push. A call that commits and pushes counts as
// pushed.
func (f *Facts) committedSince() bool {
	if len(f.Commits) == 0 {
		return false
	}
	commit, push := f.Commits[len(f.Commits)-1].Call, f.Pushes[len(f.Pushes)-1].Call
	return commit.Time().After(push.Time())
}

// changedSince reports whether calls changed files of the project after the last push, without those that were removed
// again. What git restores is committed.
func (f *Facts) changedSince(c *normalize.Conversation) bool {
	pushed := f.Pushes[len(f.Pushes)-1].Call.Time()
	changed := make(map[string]bool)
	for inner := range c.Kept() {
		for g := range inner.Groups() {
			if g.Call == nil || !g.Call.Time().After(pushed) {
				continue
			}
			for _, op := range tools.FileOps(g) {
				switch path := tools.Short(op.Path, c.Facts.CWD); {
				case op.Kind == tools.DeleteFile:
					delete(changed, path)
				case op.Kind == tools.ChangeFile && !transcript.IsAbsolute(path):
					changed[path] = true
				}
			}
		}
	}
	return len(changed) > 0
}
