package shell

import (
	"regexp"
	"sync"

	"viewer/internal/words"
)

// Name returns the name of the command that decides the exit code of a shell command, "" for none: "go test",
// "cat". It is the last simple command, or the first one of a pipeline at the end.
func Name(command string) string {
	all := Commands(command)
	i := firstOfLast(all)
	for i >= 0 && closers[all[i].Words[0]] {
		i = firstOfLast(all[:i])
	}
	if i < 0 {
		return ""
	}
	w := all[i].Words
	if !programName().MatchString(w[0]) {
		return ""
	}
	if hasSubcommands[w[0]] {
		for n, word := range w[1:] {
			if !takesValue[w[n]] && programName().MatchString(word) {
				return w[0] + " " + word
			}
		}
	}
	return w[0]
}

// firstOfLast returns the index of the first command of the last pipeline, -1 for none.
func firstOfLast(all []Simple) int {
	i := len(all) - 1
	for i > 0 && all[i-1].Piped {
		i--
	}
	return i
}

// closers end loops and conditions. Their exit code is that of the last command inside.
var closers = words.Set("done fi esac")

// programName matches the name of a program or a subcommand.
var programName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][\w.:+-]{0,40}$`) })

// hasSubcommands are programs with subcommands.
var hasSubcommands = words.Set(`git go npm pnpm yarn bun cargo docker podman kubectl helm gh glab make just mise task uv pip
	pip3 poetry terraform tofu aws gcloud az brew apt apt-get dnf systemctl dotnet flutter dart deno rails bundle mix
	composer gradle gradlew mvn mvnw nx turbo ng vite next prisma supabase firebase vercel claude codex gem swift
	rustup conda nix hg svn jj`)
