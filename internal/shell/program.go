package shell

import (
	"path"
	"strings"
	"unicode"

	"viewer/internal/words"
)

// Layers yields a simple command, then what is left of it when words before its program are removed: "sudo env A=1 npm
// test", "env A=1 npm test", "npm test". Programs are named without their folder.
func Layers(words []string) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		for range maxLayers {
			words = unassigned(words)
			if len(words) == 0 {
				return
			}
			named := append([]string{base(words[0])}, words[1:]...)
			if !yield(named) {
				return
			}
			if words = unwrapped(words); words == nil {
				return
			}
		}
	}
}

// maxLayers limits the wrappers that are removed from a command.
const maxLayers = 10

// wrappers are programs that run the command after their options.
var wrappers = words.Set(`sudo doas pkexec run0 env time nice nohup command exec timeout gtimeout xvfb-run then do else if !
	npx bunx pnpx uvx winpty caffeinate stdbuf ionice corepack rtk`)

// ownWords is the number of arguments of a wrapper before the command.
var ownWords = map[string]int{"timeout": 1, "gtimeout": 1}

// wrapperValues are options of wrappers and runners whose value is the next word.
var wrapperValues = words.Set(`sudo+-u sudo+-g sudo+-D nice+-n timeout+-k timeout+-s gtimeout+-k gtimeout+-s env+-u env+-C
	time+-f time+-o ionice+-c ionice+-n npx+-p npx+--package xvfb-run+-s xvfb-run+-n conda+-n conda+-p`)

// runners are pairs of words that run the command after them.
var runners = words.Set(`uv+run poetry+run pipenv+run pdm+run hatch+run rye+run bundle+exec pnpm+exec pnpm+dlx yarn+exec
	npm+exec yarn+dlx mise+exec mise+x asdf+exec dotenv+run direnv+exec conda+run nix+develop python+-m python3+-m py+-m
	bun+x php+artisan go+tool rtk+err rtk+test rtk+proxy rtk+summary`)

// program returns a simple command without assignments, redirections and wrappers before its program.
func program(words []string) []string {
	for range maxLayers {
		words = unassigned(words)
		if len(words) == 0 {
			return nil
		}
		rest := unwrapped(words)
		if rest == nil {
			break
		}
		words = rest
	}
	return append([]string{base(words[0])}, words[1:]...)
}

// unassigned removes the assignments before a program.
func unassigned(words []string) []string {
	for len(words) > 0 && isAssignment(words[0]) {
		words = words[1:]
	}
	return words
}

// unwrapped removes a wrapper or a runner. It returns nil if there is none.
func unwrapped(words []string) []string {
	name := base(words[0])
	switch {
	case len(words) > 2 && runners[name+" "+words[1]]:
		return withoutOptions(words[2:], name, 0)
	case name == "command" && len(words) > 1 && (words[1] == "-v" || words[1] == "-V"): // it only looks for a program
		return nil
	case len(words) > 1 && wrappers[name]:
		return withoutOptions(words[1:], name, ownWords[name])
	}
	return nil
}

// withoutOptions removes options of a wrapper, and then a number of words that belong to it.
func withoutOptions(words []string, wrapper string, own int) []string {
	for len(words) > 1 && (strings.HasPrefix(words[0], "-") || own > 0) {
		switch {
		case len(words) > 2 && wrapperValues[wrapper+" "+words[0]]:
			words = words[1:]
		case !strings.HasPrefix(words[0], "-"):
			own--
		}
		words = words[1:]
	}
	return words
}

func base(program string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(program, `\`, "/")), ".exe")
}

// isAssignment reports whether a word sets a variable: NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	for i, r := range name {
		if r != '_' && !(r < 128 && unicode.IsLetter(r)) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}

// Runs reports whether a simple command begins with some words. Options of its program are ignored.
func Runs(words []string, want ...string) bool {
	_, ok := BeginsWith(words, want)
	return ok
}

// BeginsWith compares the first words of a simple command, without options, with the wanted ones and returns those that
// matched. A wanted word that ends with "*" matches all words that begin with it.
func BeginsWith(words, want []string) (string, bool) {
	var matched []string
	for n, w := range words {
		i := len(matched)
		if i == len(want) {
			break
		}
		start, open := strings.CutSuffix(want[i], "*")
		switch {
		case w == start, open && strings.HasPrefix(w, start):
			matched = append(matched, w)
		case i > 0 && (strings.HasPrefix(w, "-") || takesValue[words[n-1]]):
		default:
			return "", false
		}
	}
	return strings.Join(matched, " "), len(matched) == len(want)
}

// takesValue are options before a subcommand whose value is the next word.
var takesValue = words.Set(`-C -c --git-dir --work-tree -R --repo --prefix --filter --dir --cwd -w --workspace
	--manifest-path -p --package --project-directory -f --permission-mode`)
