package outcome

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"viewer/internal/shell"
	"viewer/normalize"
)

// A CheckKind is what a command checks.
type CheckKind uint8

const (
	Test CheckKind = iota
	Lint
	Build
)

func (k CheckKind) String() string { return [...]string{"test", "lint", "build"}[k] }

// A Verdict is how a command that checks something ended.
type Verdict uint8

const (
	Unclear Verdict = iota // it ran, but the log does not tell how it ended
	Green
	Red
)

func (v Verdict) String() string { return [...]string{"ran", "green", "red"}[v] }

// A Check is a test, linter or build that a session ran once or several times.
type Check struct {
	Kind  CheckKind
	Name  string // "go test", "npm run lint"
	Calls int
	Last  Verdict            // of its last call
	Call  *normalize.Message // the last call
}

// maxChecks is the maximum number of different checks of a session that are listed.
const maxChecks = 50

type checkList struct {
	all []Check
}

// add records what a call checked, if it ran.
func (l *checkList) add(r *reading) {
	state := r.call.Start.State
	switch state {
	case normalize.Blocked, normalize.CallDeclined, normalize.CallDenied, normalize.CallCancelled:
		return
	}
	var found []Check
	for i, name := range r.names {
		if name == "" {
			continue
		}
		verdict := Unclear
		if state == normalize.Done || state == normalize.Failed {
			var ran bool
			if verdict, ran = r.verdict(i); !ran {
				continue
			}
		}
		isSame := func(c Check) bool { return c.Name == name }
		if same := slices.IndexFunc(found, isSame); same >= 0 {
			found[same].Last = both(found[same].Last, verdict)
			continue
		}
		found = append(found, Check{Kind: r.kinds[i], Name: name, Last: verdict})
	}
	for _, c := range found {
		l.note(c.Kind, c.Name, c.Last, r.call.Start.Call)
	}
}

// both returns how two commands ended that count as one. The log may not tell how one of them ended, or whether it ran.
func both(a, b Verdict) Verdict {
	if a == Red || b == Red {
		return Red
	}
	return cmp.Or(a, b)
}

func (l *checkList) note(kind CheckKind, name string, verdict Verdict, call *normalize.Message) {
	for i := range l.all {
		if c := &l.all[i]; c.Name == name && c.Kind == kind {
			c.Calls++
			c.Last, c.Call = verdict, call
			return
		}
	}
	if len(l.all) < maxChecks {
		l.all = append(l.all, Check{kind, name, 1, verdict, call})
	}
}

// checks are the first words of commands that check something, separated by commas. A word that ends with "*" matches
// all words that begin with it.
var checks = [...]string{
	Test: `
		go test, gotestsum, ginkgo, cargo test, cargo nextest, pytest, py.test, unittest, tox, nox, nosetests, npm
		test, npm t, npm run test*, npm run e2e*, yarn test*, yarn run test*, pnpm test*, pnpm run test*, bun test,
		bun run test*, deno test, jest, vitest, mocha, ava, karma, cypress run, playwright test, rspec, rake test,
		rails test, minitest, mvn test, mvn verify, mvnw test, mvnw verify, gradle test, gradlew test, gradle check,
		gradlew check, dotnet test, ctest, make test*, make check*, just test*, mise run test*, task test*, mix test,
		phpunit, pest, composer test, swift test, xcodebuild test, bats, flutter test, dart test, sbt test, zig build
		test, zig test, stack test, cabal test, lein test, prove, busted, R CMD check, bazel test, nx test, turbo
		test, turbo run test, ng test, node --test, Invoke-Pester`,
	Lint: `
		golangci-lint, go vet, gofmt, goimports, staticcheck, govulncheck, eslint, ruff, flake8, pylint, mypy,
		pyright, basedpyright, ty check, black, isort, bandit, tsc, cargo clippy, cargo fmt, rustfmt, rubocop,
		shellcheck, shfmt, hadolint, actionlint, yamllint, prettier, biome, oxlint, stylelint, markdownlint,
		markdownlint-cli2, pre-commit, npm run lint*, npm run typecheck*, npm run type-check*, npm run format*, npm
		run check*, yarn lint*, yarn run lint*, yarn typecheck*, yarn run check*, pnpm lint*, pnpm run lint*, pnpm
		typecheck*, pnpm run typecheck*, pnpm check*, pnpm run check*, bun run lint*, bun run typecheck*, bun run
		check*, bun run format*, bun lint, tsgo, make lint*, make vet, make fmt*, just lint*, mise run
		lint*, mise run fmt*, mise run vet, mise run check*, task lint*, swiftlint, swiftformat, ktlint, detekt, checkstyle,
		phpstan, psalm, php-cs-fixer, mix format, mix credo, dart analyze, flutter analyze, terraform validate,
		terraform fmt, tflint, ansible-lint, helm lint, svelte-check, vue-tsc, deno lint, deno check, deno fmt,
		clang-tidy, clang-format, cppcheck, next lint, knip, buf lint, sqlfluff, goreleaser check`,
	Build: `
		go build, go install, cargo build, cargo check, npm run build*, yarn build*, yarn run build*, pnpm build*,
		pnpm run build*, bun run build*, bun build, vite build, next build, webpack, rollup, esbuild, tsup, ng build,
		make, make all, make build*, just build*, mise run build*, task build*, cmake --build, ninja, meson compile,
		mvn package, mvn compile, mvn install, mvnw package, mvnw compile, mvnw install, gradle build, gradlew build,
		gradle assemble*, gradlew assemble*, dotnet build, docker build, docker buildx build, docker compose build,
		podman build, xcodebuild, swift build, bazel build, zig build, stack build, cabal build, sbt compile, sbt
		assembly, flutter build, goreleaser build, goreleaser release, mix compile, nx build, turbo build, turbo run
		build, hugo, jekyll build, mkdocs build, sphinx-build, latexmk, pdflatex`,
}

// A pattern is one command that checks something.
type pattern struct {
	kind  CheckKind
	words []string
}

// patterns are the patterns of checks by program, the longest first.
var patterns = sync.OnceValue(func() map[string][]pattern {
	all := make(map[string][]pattern)
	for kind, commands := range checks {
		for command := range strings.SplitSeq(commands, ",") {
			words := strings.Fields(command)
			all[words[0]] = append(all[words[0]], pattern{CheckKind(kind), words})
		}
	}
	return all
})

// checkOf returns what a simple command checks, and its name: the words of its pattern.
func checkOf(words []string) (kind CheckKind, name string, ok bool) {
	best := -1
	for _, p := range patterns()[words[0]] {
		if matched, ok := shell.BeginsWith(words, p.words); ok && len(p.words) > best {
			best, kind, name = len(p.words), p.kind, matched
		}
	}
	isTarget := name == "make" && len(words) > 1 && !strings.HasPrefix(words[len(words)-1], "-")
	if best < 0 || isTarget || onlyPrintsHelp(words) {
		return 0, "", false
	}
	return kind, name, true
}

// onlyPrintsHelp reports whether a command only prints help or the version of the program.
func onlyPrintsHelp(words []string) bool {
	for _, w := range words[1:] {
		switch w {
		case "--version", "--help", "-h", "version", "help", "-V", "--list", "--listTests", "--collect-only", "-list",
			"--markers", "--fixtures":
			return true
		}
	}
	return false
}
