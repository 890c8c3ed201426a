package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A Worktree is an additional work tree of a repository, as far as the path of a working directory tells. See
// docs/reading.md for the rules.
type Worktree struct {
	Main       string // the folder of the main work tree, "" if the path does not contain it
	Repository string // the name of that folder
	Name       string // of the work tree
	Sure       bool   // only programs that create work trees name folders like this
}

// WorktreeOf reports whether a working directory is in such a work tree, and in which.
func WorktreeOf(cwd string) (Worktree, bool) {
	// One byte for each separator keeps the offsets of both paths the same.
	path := strings.TrimRight(strings.ReplaceAll(cwd, `\`, "/"), "/")
	if at := strings.Index(path, "/.claude/worktrees/"); at > 0 {
		name, _, _ := strings.Cut(path[at+len("/.claude/worktrees/"):], "/")
		return Worktree{Main: cwd[:at], Repository: lastElement(path[:at]), Name: name, Sure: true}, name != ""
	}
	for _, home := range []struct {
		folder    string
		nameFirst bool // the name of the work tree comes before that of the repository
	}{{"/.codex/worktrees/", true}, {"/.cursor/worktrees/", false}} {
		_, rest, ok := strings.Cut(path, home.folder)
		if !ok {
			continue
		}
		name, repository, _ := strings.Cut(rest, "/")
		repository, _, _ = strings.Cut(repository, "/")
		if !home.nameFirst {
			name, repository = repository, name
		}
		return Worktree{Repository: repository, Name: name}, name != "" && repository != ""
	}
	for at := strings.IndexByte(path, '/'); at >= 0 && at < len(path); {
		end := at + 1 + strings.IndexByte(path[at+1:]+"/", '/')
		if main := at + len(withoutSuffix(path[at:end])); main < end && end+1 < len(path) {
			if main == at+1 { // .worktrees is a folder in the repository
				main = at
			}
			return Worktree{Main: cwd[:main], Repository: lastElement(path[:main]), Name: path[end+1:]}, main > 0
		}
		at = end
	}
	return Worktree{}, false
}

// withoutSuffix returns the name of the repository in that of a folder for its work trees.
func withoutSuffix(folder string) string {
	for _, suffix := range []string{".worktrees", "-worktrees", "__worktrees", "_worktrees"} {
		if name, ok := strings.CutSuffix(folder, suffix); ok {
			return name
		}
	}
	return folder
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// RepositoryOf returns the address of the remote of a repository for people: without the user, who may be a person and
// have a password in it, as github.com/ann/lamp.
func RepositoryOf(address string) string {
	address = strings.TrimSuffix(strings.TrimRight(address, "/"), ".git")
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	host, path, _ := strings.Cut(address, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		address = strings.TrimSuffix(host[at+1:]+"/"+path, "/")
	}
	return address
}

// HashRepository returns a hash of a repository, made of the address of its remote; "" for none. Different addresses of
// one repository have the same hash: git@example.com:a/b.git, https://me@example.com/a/b.
func HashRepository(address string) string {
	address = strings.ToLower(RepositoryOf(address))
	if address == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("repository\x00" + strings.ReplaceAll(address, ":", "/")))
	return hex.EncodeToString(sum[:8])
}
