package outcome

import (
	"slices"
	"strings"

	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// quietCommits returns the commits of a call of which git printed nothing (git commit -q). The exit code or the next
// command may say that git made one. Otherwise a log may, in this or a later output. What git was not told to keep
// quiet about, or did in another repository, only counts if a log in the same output has it.
func quietCommits(r *reading) (all []Commit) {
	if state := r.call.Start.State; state != normalize.Done && state != normalize.Failed {
		return nil
	}
	for i, s := range r.commands {
		if !shell.Runs(s.Words, "git", "commit") || isRemade(s.Words) {
			continue
		}
		command := r.call.Text()
		c := Commit{Subject: subjectOf(s, command), Call: r.call.Start.Call, amends: isAmend(s.Words), command: command}
		switch {
		case !isQuiet(s.Words) || r.isElsewhere(i):
			c.unsure, c.soon = true, true
		case !r.succeeded(i):
			c.unsure, c.silent = !r.isSilent(i), true
		}
		all = append(all, c)
	}
	return all
}

// isSilent reports whether git had to print why it made no commit, and did not.
func (r *reading) isSilent(i int) bool {
	if s := &r.commands[i]; s.Piped || s.Quiet || r.call.State() != normalize.Done || r.call.Unclear() || r.repeats() {
		return false
	}
	for j := i - 1; j >= 0 && (r.commands[j].Then == shell.And || r.commands[j].Then == shell.Next); j-- {
		if r.commands[j].Then == shell.And && !tellingPrograms[r.commands[j].Words[0]] { // it may have failed
			return false
		}
	}
	r.readOutput()
	return !noCommit().MatchString(r.output)
}

// tellingPrograms print why they fail, or do not fail.
var tellingPrograms = words.Set("git echo head tail")

// noCommit matches what git prints if it makes no commit, or if a command before it fails.
var noCommit = expression(`(?m)^(?:fatal|error|hint|usage): |^nothing (?:added )?to commit|^no changes added to commit` +
	`|^Aborting commit|\bhook\b`)

// succeeded reports whether a command of a call surely succeeded.
func (r *reading) succeeded(i int) bool {
	failed, known := r.call.Failed()
	s := &r.commands[i]
	return !r.call.Runs() && (known && !failed && !s.Piped && !s.Saved || r.told(i) == Green)
}

// isElsewhere reports whether a command of a call may be about another repository than that of the session, such as a
// scratch copy.
func (r *reading) isElsewhere(i int) bool {
	folder := r.call.Start.Call.Record.CWD
	isOutside := func(path string) bool {
		path = tools.Short(path, folder)
		return strings.ContainsAny(path, "$`") || strings.HasPrefix(path, "..") || strings.HasPrefix(path, "~") ||
			transcript.IsAbsolute(path)
	}
	for _, s := range r.commands[:i] {
		if shell.Runs(s.Words, "git", "init") || shell.Runs(s.Words, "git", "clone") {
			return true
		}
	}
	s := &r.commands[i]
	return slices.ContainsFunc(s.Folders, isOutside) ||
		len(s.Words) > 2 && s.Words[1] == "-C" && isOutside(s.Words[2])
}

// maxQuiet is how many of the last commits may get their hash from a log.
const maxQuiet = 30

// logged finds commits in the output of git log --oneline. So what git was told not to print becomes known.
func (f *Facts) logged(output string) {
	for _, m := range loggedCommit().FindAllStringSubmatch(output, maxGit) {
		sha, subject := m[1], strings.TrimSpace(m[2])
		isKnown := func(c Commit) bool { return c.SHA == sha }
		if f.seen[sha] || slices.ContainsFunc(f.Commits, isKnown) {
			continue
		}
		if f.seen == nil {
			f.seen = make(map[string]bool)
		}
		f.seen[sha] = true
		for i := len(f.Commits) - 1; i >= max(0, len(f.Commits)-maxQuiet); i-- {
			c := &f.Commits[i]
			isSame := c.Subject == subject || c.Subject == "" && strings.Contains(c.command, subject)
			if c.SHA != "" || !isSame {
				continue
			}
			isNew := c.unsure
			if c.SHA, c.Subject, c.unsure = sha, subject, false; isNew && c.amends && i > 0 {
				f.Commits = slices.Delete(f.Commits, i-1, i)
			}
			break
		}
	}
}

// loggedCommit matches a line of git log --oneline: "1a2b3c4 Subject", "1a2b3c4 (HEAD -> main) Subject".
var loggedCommit = expression(`(?m)^([0-9a-f]{7,40}) (?:\([^\n)]{1,200}\) )?([^\n]{4,300})$`)

// isQuiet reports whether a command of git is told to print nothing: -q, --quiet, -qam.
func isQuiet(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "--quiet" || isFlag(w, 'q') })
}

// isRemade reports whether a git commit makes an earlier commit again, such as after git reset.
func isRemade(words []string) bool {
	at := slices.Index(words, "commit")
	return slices.ContainsFunc(words[at+1:], func(w string) bool { return w == "-C" || w == "--reuse-message" })
}

// isFlag reports whether a word is a group of short options with a letter: -qam.
func isFlag(word string, letter byte) bool {
	return len(word) > 1 && len(word) < 6 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word, letter) > 0
}

// subjectOf returns the subject of the message of a git commit, given the whole command; "" if that does not have it.
func subjectOf(s shell.Simple, command string) string {
	message := ""
	for i, w := range s.Words {
		switch {
		case w == "--message" || isFlag(w, 'm') && w[len(w)-1] == 'm':
			if i+1 < len(s.Words) {
				message = s.Words[i+1]
			}
		case strings.HasPrefix(w, "--message="):
			message = strings.TrimPrefix(w, "--message=")
		case (w == "-F" || w == "--file") && i+1 < len(s.Words) && s.Words[i+1] == "-" && s.Document != nil:
			message = *s.Document
		default:
			continue
		}
		break
	}
	if strings.HasPrefix(message, "$(cat") && strings.Count(command, "<<") == 1 { // a here document
		_, message, _ = strings.Cut(command, "<<")
		_, message, _ = strings.Cut(message, "\n")
	}
	subject, _, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if strings.HasPrefix(subject, "$") {
		return ""
	}
	return strings.TrimSpace(subject)
}

// isQuietPush reports whether a git push prints nothing about what it pushed.
func isQuietPush(words []string) bool {
	removes := func(w string) bool { return w == "--delete" || w == "-d" || w == "--tags" || strings.HasPrefix(w, ":") }
	return isQuiet(words) && !slices.ContainsFunc(words, removes)
}

// pushedBranch returns the branch that a git push names, "" for none.
func pushedBranch(words []string) string {
	at := slices.Index(words, "push")
	var names []string // the remote, then what to push
	for _, w := range words[at+1:] {
		if !strings.HasPrefix(w, "-") {
			names = append(names, w)
		}
	}
	if len(names) < 2 || names[1] == "HEAD" {
		return ""
	}
	return names[1][strings.LastIndexByte(names[1], ':')+1:]
}
