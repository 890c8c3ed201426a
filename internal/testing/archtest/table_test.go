package archtest

import "strings"

// mayImport lists for each package the packages of this module that it may import. A package that is not in the table
// fails the test: change the table, and describe the package in ARCHITECTURE.md. Tests may import anything.
var mayImport = map[string][]string{
	"internal/jsonstring":       {},
	"internal/transcript":       {"internal/jsonstring"},
	"normalize":                 {"internal/transcript"},
	"internal/markup":           {"internal/markup/highlight", "internal/console"},
	"internal/markup/highlight": {},
	"templates":                 {},
	"internal/program":          {},
	"assets":                    {},
	"internal/redact":           {"internal/jsonstring", "internal/redact/match", "internal/redact/rules"},
	"internal/redact/match":     {},
	"internal/redact/rules":     {},
	"internal/words":            {},
	"internal/when":             {},
	"internal/fields":           {"internal/transcript"},
	"internal/console":          {},
	"internal/stats":            {"internal/transcript", "normalize"},
	"internal/shell":            {"internal/words"},
	"internal/outcome":          {"internal/shell", "internal/transcript", "normalize", "internal/markup", "internal/tools", "internal/words"},
	"internal/notes":            {"internal/transcript", "internal/fields"},
	"internal/permissions":      {"internal/shell", "internal/transcript", "normalize", "internal/changes", "internal/outcome", "internal/tools", "internal/words"},
	"internal/insights":         {"internal/shell", "internal/permissions", "internal/transcript", "normalize", "internal/stats", "internal/tools", "internal/outcome", "internal/words"},
	"internal/changes":          {"internal/tools", "internal/markup", "internal/transcript", "normalize"},
	"internal/tools":            {"internal/shell", "internal/transcript", "normalize", "internal/markup", "internal/stats", "internal/words", "internal/fields"},
	"internal/packed":           {},
	"internal/search":           {"internal/packed", "internal/transcript", "normalize", "internal/tools"},
	"internal/export":           {"internal/transcript", "normalize", "internal/markup", "internal/stats", "internal/words", "internal/console", "internal/tools", "internal/outcome"},
	"internal/report":           {"internal/changes", "internal/transcript", "normalize", "internal/markup", "internal/stats", "internal/words", "internal/console", "internal/export", "internal/tools", "internal/outcome", "internal/permissions"},
	"internal/compare":          {"internal/shell", "internal/changes", "internal/export", "internal/markup", "internal/outcome", "internal/report", "internal/tools", "internal/words", "normalize"},
	"render":                    {"render/page", "render/prose", "render/strip", "internal/codec", "internal/transcript", "normalize", "internal/markup", "internal/stats", "assets", "internal/words", "internal/fields", "internal/tools", "internal/outcome", "internal/changes", "internal/insights", "internal/notes", "internal/permissions"},
	"render/page":               {"internal/markup", "templates", "internal/program", "internal/stats", "assets", "internal/words"},
	"render/prose":              {"render/page", "internal/markup", "internal/words"},
	"render/strip":              {"render/page", "internal/markup", "internal/stats", "internal/tools", "internal/transcript", "internal/words", "normalize"},
	"render/indexpages":         {"render", "render/page", "assets", "internal/outcome", "internal/packed", "internal/stats", "internal/transcript", "internal/words"},
	"render/insightpages":       {"render", "render/page", "render/indexpages", "internal/insights", "internal/stats", "internal/transcript", "internal/words"},
	"render/filepages":          {"render", "render/page", "render/indexpages", "internal/changes", "internal/words"},
	"render/single":             {"render", "render/page", "assets", "internal/words"},
	"render/comparisonpages":    {"render/page", "render/indexpages", "internal/compare", "internal/packed", "internal/words"},
	"internal/codec":            {},
	"internal/sqlite":           {},
	"internal/sources":          {"internal/transcript"},
	"internal/failure":          {},
	"internal/encrypt":          {"assets"},
	"internal/publish":          {"internal/failure", "internal/git", "internal/storage"},
	"internal/facts":            {"internal/codec", "internal/export", "internal/tools", "normalize", "render"},
	"internal/facts/parquet":    {"internal/facts"},
	"internal/storage":          {"internal/failure"},
	"internal/storage/cloud":    {"internal/failure", "internal/storage"},
	"internal/fingerprint":      {},
	"internal/smallfile":        {},
	"internal/sitegen/decode":   {"internal/fingerprint"},
	"internal/sitegen/input": {
		"internal/archive/store", "internal/failure", "internal/fingerprint", "internal/notes",
		"internal/sitegen/decode", "internal/smallfile", "internal/sources", "internal/sources/all",
		"internal/storage", "internal/transcript",
	},
	"internal/sitegen/redaction": {
		"internal/failure", "internal/fingerprint", "internal/redact", "internal/smallfile", "internal/sources",
		"internal/transcript", "render",
	},
	"internal/sitegen/segments": {
		"internal/fingerprint", "internal/search", "internal/sitegen/output", "internal/sitegen/state",
	},
	"internal/sitegen/output": {"internal/codec", "internal/failure", "internal/fingerprint", "internal/storage"},
	"internal/sitegen/state": {
		"internal/sitegen/output", "internal/codec", "internal/failure", "internal/fingerprint",
		"internal/sources", "internal/transcript", "internal/stats", "internal/outcome", "internal/insights", "render",
	},
	"internal/sitegen": {
		"internal/sitegen/decode", "internal/sitegen/input", "internal/sitegen/output", "internal/sitegen/redaction",
		"internal/sitegen/segments", "internal/sitegen/state", "internal/smallfile",
		"internal/changes", "internal/outcome", "internal/codec",
		"internal/archive", "internal/archive/store", "internal/failure", "internal/storage", "internal/facts",
		"internal/fingerprint", "internal/sources", "internal/sources/all",
		"internal/transcript", "normalize", "internal/markup", "templates", "assets", "internal/redact",
		"internal/stats", "internal/search", "internal/export", "internal/report", "internal/compare",
		"internal/insights", "internal/notes", "internal/encrypt", "internal/sitedata", "render",
		"render/indexpages", "render/insightpages", "render/filepages", "render/comparisonpages", "render/single",
	},
	"internal/blame": {
		"internal/changes", "internal/console", "internal/export", "internal/failure", "internal/git",
		"internal/sitegen", "internal/words",
	},
	"internal/listing": {
		"internal/console", "internal/export", "internal/insights", "internal/sitegen", "internal/stats",
		"internal/words",
	},
	"internal/publication": {
		"internal/encrypt", "internal/failure", "internal/publish", "internal/sitedata", "internal/sitegen",
		"internal/sitegen/output",
	},
	"internal/settings": {"internal/failure", "internal/sitegen/output", "internal/smallfile"},
	"internal/runs": {
		"internal/compare", "internal/failure", "internal/fingerprint", "internal/report", "internal/sitegen",
		"internal/sitegen/output", "internal/smallfile", "internal/storage", "render", "render/single",
	},
	"internal/archive":           {},
	"internal/archive/store":     {"internal/archive", "internal/failure", "internal/fingerprint", "internal/sitegen/output", "internal/storage"},
	"internal/archive/signature": {"internal/archive/store", "internal/failure"},
	"internal/watch":             {"internal/fingerprint"},
	"internal/serve":             {"internal/failure"},
	"internal/git":               {"internal/changes"},
	"internal/sitedata":          {"internal/search", "internal/fingerprint", "internal/failure"},
	"internal/mcp":               {"internal/sitedata", "internal/failure", "internal/search", "internal/console", "internal/words"},
	// transcript only for its type Problem, which the command prints; assets only for the live script, which it passes
	// to serve.
	"cmd/viewer": {"internal/blame", "internal/listing", "internal/archive", "internal/archive/signature", "internal/archive/store", "internal/storage", "internal/storage/cloud", "internal/facts", "internal/facts/parquet", "internal/publication", "internal/publish", "internal/changes", "internal/stats", "internal/failure", "internal/git", "internal/runs", "internal/settings", "internal/sitedata", "internal/sitegen", "internal/sitegen/output", "internal/sitegen/redaction", "internal/smallfile", "internal/watch", "internal/serve", "internal/mcp", "internal/export", "internal/search", "internal/report", "internal/compare", "internal/transcript", "assets", "internal/when", "internal/words", "internal/console"},

	// For tests only.
	"internal/testing/archtest":     {},
	"internal/testing/attacks":      {},
	"internal/testing/contained":    {"internal/markup", "internal/program"},
	"internal/testing/heap":         {},
	"internal/testing/corpus":       {},
	"internal/testing/exclusive":    {},
	"internal/testing/plaingit":     {},
	"internal/testing/corpusgen":    {},
	"internal/testing/dunlin":       {"internal/sources", "internal/transcript", "internal/fields"},
	"internal/testing/golden":       {},
	"internal/testing/htmlcheck":    {},
	"internal/testing/fill":         {},
	"internal/testing/schemacheck":  {},
	"internal/testing/runlog":       {},
	"internal/testing/manysessions": {},
	"internal/testing/scratch":      {},
	"internal/testing/secretgen":    {},
	"internal/testing/sourcetest": {
		"internal/sources", "internal/sources/claude", "internal/transcript", "normalize", "render",
		"internal/testing/golden", "internal/testing/corpus",
	},
	"internal/testing/tern": {"internal/sources", "internal/transcript", "internal/fields"},

	// Commands for developers, run with go run.
	"internal/testing/attacks/gen":   {"internal/testing/attacks"},
	"internal/testing/corpusgen/gen": {"internal/testing/corpusgen"},
	"internal/testing/bench":         {},
	"internal/testing/typecheck":     {},

	"internal/testing/manysessions/site": {"internal/sitegen", "internal/testing/manysessions"},

	"internal/licenses": {},
}

// sourceList is the package that lists the sources. The packages beside it are sources, which need no line in the
// table.
const sourceList = "internal/sources/all"

// isSource reports whether a package reads the files of one writer of sessions. Such packages are pure.
func isSource(folder string) bool { return strings.HasPrefix(folder, "internal/sources/") }

// allowedFor returns the packages that a package may import.
func allowedFor(folder string) (imports []string, known bool) {
	if isSource(folder) {
		return []string{"internal/sources", "internal/transcript", "internal/fields", "internal/sqlite"}, true
	}
	imports, known = mayImport[folder]
	return imports, known
}

// pure packages return the same results for the same arguments, and have no side effects (invariant 2 of
// ARCHITECTURE.md).
var pure = setOf("internal/archive internal/transcript internal/tools internal/sources internal/fields normalize internal/markup internal/console internal/markup/highlight internal/program render render/page render/prose render/strip render/indexpages render/insightpages render/filepages render/comparisonpages render/single internal/redact internal/redact/match internal/redact/rules internal/stats internal/insights internal/notes internal/permissions internal/changes internal/outcome internal/search internal/export internal/report internal/compare templates assets internal/when internal/words internal/codec internal/sqlite")

// impure are the imports that pure packages may not have. net/url only parses, so it is allowed.
var impure = setOf("os os/exec os/signal os/user io/ioutil net net/http net/netip math/rand math/rand/v2 " +
	"crypto/rand log log/slog syscall plugin runtime/debug")

// clock are the functions and variables of package time that depend on the clock or the time zone of the machine.
var clock = setOf("Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker Local")

// concurrent are the packages that may start goroutines (invariant 6).
var concurrent = setOf("internal/archive/store internal/sitegen internal/sitegen/output internal/sitegen/segments internal/sitegen/state internal/watch internal/serve internal/publish")

// mayPrint is the package that may print and exit.
const mayPrint = "cmd/viewer"

// commands are the packages of other commands, which may print and exit too.
var commands = setOf("internal/testing/attacks/gen internal/testing/corpusgen/gen internal/testing/bench internal/licenses " +
	"internal/testing/manysessions/site internal/testing/typecheck")

// toolNames are names that normalize may not use (invariant 1), besides those that internal/tools describes.
var toolNames = setOf("Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep " +
	"KillShell LS MultiEdit NotebookEdit NotebookRead Read SendMessage Skill SlashCommand Task TaskCreate " +
	"TaskOutput TodoRead TodoWrite ToolSearch WebFetch WebSearch Write")

// ordinaryWords are names of tools of some writers that have another meaning in the records of others: a mode of
// prompts, a kind of context.
var ordinaryWords = setOf("bash skill")

// knowsTools are the files of normalize that may name tools, each with the reason.
var knowsTools = map[string]string{
	"normalize/api_block.go": "block types of the API, of which one is drawn as a tool",
	"normalize/message.go":   "names of kinds of messages, of which one is also that of a tool of Codex",
	"normalize/api_input.go": "what is sent of a call's input depends on its tool: one table of internal fields",
}
