package tools

import (
	"strconv"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// printedFile returns the read of a file by a command that prints it: models of Codex have no other tool to read files.
func printedFile(g *normalize.Group) []FileOp {
	all, script := commandsOf(g)
	if script || len(all) != 1 {
		return nil
	}
	path, limit := printedPath(all[0].Text)
	if path == "" {
		return nil
	}
	if dir := all[0].Folder; dir != "" && !transcript.IsAbsolute(path) {
		path = dir + "/" + path
	}
	return oneFile(ReadFile, path, func() FileTexts {
		var end ended
		text := ContentText(g.Result.Block.Content)
		if v := structuredOf(g); v != nil && fields.Decode(v, &end) != nil || end.Session != "" ||
			end.ExitCode != "" && end.ExitCode != "0" || text == "" || isCutOutput(text) ||
			limit > 0 && strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1 >= limit {
			return FileTexts{}
		}
		return FileTexts{Before: &text}
	})
}

// printedPath returns the path of the file that a command prints from its first line on, and the number of lines that
// it prints at most, 0 for all: "cat a.go", "sed -n '1,200p' a.go". The path is "" for other commands.
func printedPath(command string) (path string, limit int) {
	if len(command) > 1000 || strings.ContainsAny(command, "|&;<>$`\\*?()[]{}#!~\n") {
		return "", 0
	}
	words := strings.Fields(command)
	switch {
	case len(words) == 2 && words[0] == "cat":
	case len(words) == 4 && words[0] == "sed" && words[1] == "-n":
		lines, ok := strings.CutPrefix(strings.Trim(words[2], `'"`), "1,")
		n, err := strconv.Atoi(strings.TrimSuffix(lines, "p"))
		if !ok || err != nil || n < 1 || !strings.HasSuffix(lines, "p") {
			return "", 0
		}
		limit = n
	default:
		return "", 0
	}
	path = words[len(words)-1]
	for _, quote := range []string{"'", `"`} {
		if inside, ok := strings.CutPrefix(path, quote); ok {
			path = strings.TrimSuffix(inside, quote)
		}
	}
	if strings.HasPrefix(path, "-") || strings.ContainsAny(path, `'"`) {
		return "", 0
	}
	return path, limit
}

// isCutOutput reports whether Codex left out a part of an output.
func isCutOutput(text string) bool {
	return strings.HasPrefix(text, "Total output lines: ") || strings.HasPrefix(text, "Warning: truncated output") ||
		strings.Contains(text, " truncated…") || strings.Contains(text, "[... omitted ")
}
