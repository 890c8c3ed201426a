package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The parsers of goldmark for HTML match up to eight regular expressions at each "<", a quarter of the work for what
// programs tell models. That has many tags without attributes, and words that look like tags: <name>, </name>,
// <file_name>. None of these needs an expression.

// newParser returns goldmark's parser of CommonMark with faster parsers of HTML.
func newParser() parser.Parser {
	const htmlBlocks, tags = 900, 400 // priorities of goldmark
	blocks, inlines := parser.DefaultBlockParsers(), parser.DefaultInlineParsers()
	for i, p := range blocks {
		if p.Priority == htmlBlocks {
			blocks[i].Value = htmlBlockParser{p.Value.(parser.BlockParser)}
		}
	}
	for i, p := range inlines {
		if p.Priority == tags {
			inlines[i].Value = tagParser{p.Value.(parser.InlineParser)}
		}
	}
	return parser.NewParser(parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
}

// A tagParser parses HTML in a line.
type tagParser struct{ parser.InlineParser }

func (p tagParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := nameEnd(line)
	if n > 0 && line[n] == '>' {
		tag := ast.NewRawHTML()
		tag.Segments.Append(text.NewSegment(segment.Start, segment.Start+n+1))
		block.Advance(n + 1)
		return tag
	}
	if n > 0 && !continuesTag(line[n]) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// An htmlBlockParser parses lines that begin with a tag.
type htmlBlockParser struct{ parser.BlockParser }

func (p htmlBlockParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := r.PeekLine()
	line = bytes.TrimLeft(line, " ")
	if n := nameEnd(line); n > 0 && line[n] != '>' && !continuesTag(line[n]) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, r, pc)
}

// nameEnd returns the index after the name of a tag that a line begins with, 0 if nothing or no name follows "<".
func nameEnd(line []byte) int {
	start := 1
	if len(line) > 1 && line[1] == '/' {
		start = 2
	}
	n := start
	for n < len(line) && (isLetter(line[n]) || n > start && (line[n] >= '0' && line[n] <= '9' || line[n] == '-')) {
		n++
	}
	if n == start || n == len(line) {
		return 0
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// continuesTag reports whether a byte may follow the name of a tag that has more than its name.
func continuesTag(c byte) bool { return c <= ' ' || c == '/' }
