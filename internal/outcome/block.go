package outcome

import (
	"cmp"
	"strings"

	"viewer/internal/markup"
)

// A block is a part of an answer: a heading, a paragraph with its list, or code.
type block struct {
	kind  blockKind
	text  string // of a heading, without its markup; otherwise as written
	level int    // of a heading, 1 to 6, or 7 for a bold line
}

type blockKind uint8

const (
	prose blockKind = iota
	heading
	code // or a table
)

// maxBlocks is the maximum number of blocks of an answer that are read.
const maxBlocks = 200

// blocksOf cuts an answer into blocks, without rules. A line that is bold from end to end is a heading.
func blocksOf(answer string) []block {
	var all []block
	rest := strings.TrimSpace(answer)
	for rest != "" && len(all) < maxBlocks {
		if fenced, after, ok := cutFence(rest); ok {
			all = append(all, block{kind: code, text: insideFence(fenced)})
			rest = strings.TrimLeft(after, "\r\n")
			continue
		}
		text := paragraph(rest)
		if i := strings.Index(text, "\n```"); i >= 0 {
			text = text[:i]
		}
		rest = strings.TrimLeft(rest[len(text):], "\r\n")
		first, below, _ := strings.Cut(text, "\n")
		switch {
		case strings.TrimSpace(text) == "" || isRule(text):
		case isHeading(first) && !isBoldText(first):
			all = append(all, newHeading(strings.TrimSpace(first)))
			rest = strings.TrimSpace(below + "\n\n" + rest)
		case isTable(first):
			all = append(all, block{kind: code, text: text})
		default:
			all = append(all, block{kind: prose, text: text})
		}
	}
	return all
}

// isBoldText reports whether a line that is bold from end to end is text and not a heading: a sentence, or something
// like "**Conclusion: all pass**".
func isBoldText(line string) bool {
	inner, ok := strings.CutPrefix(strings.TrimSpace(line), "**")
	return ok && (resultHeadings()[labelOf(line)] > 0 ||
		strings.HasSuffix(inner, ".**") && strings.Count(inner, " ") > 5)
}

func newHeading(line string) block {
	words := strings.TrimLeft(line, "#")
	level := cmp.Or(len(line)-len(words), 7)
	return block{kind: heading, text: markup.Excerpt(strings.Trim(words, "# "), maxHeading), level: level}
}

// cutFence cuts code between fences off the front. Without a closing fence, everything is code.
func cutFence(s string) (fenced, rest string, ok bool) {
	if !isFence(s) {
		return "", s, false
	}
	end := strings.Index(s[3:], "\n"+s[:3])
	if end < 0 {
		return s, "", true
	}
	end += 3 + 1 + 3
	line := strings.IndexByte(s[end:], '\n')
	if line < 0 {
		return s, "", true
	}
	return s[:end], s[end+line:], true
}

// insideFence returns code without its fences, and without the language that the first one may name.
func insideFence(fenced string) string {
	if _, inside, ok := strings.Cut(fenced, "\n"); ok {
		return strings.TrimRight(inside, "`~")
	}
	return strings.Trim(fenced, "`~")
}

func isFence(s string) bool { return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") }

func isTable(first string) bool { return strings.HasPrefix(first, "|") }

// isCode reports whether code or a table begins with the first line of a paragraph.
func isCode(first string) bool { return isFence(first) || isTable(first) }
