package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// dialect is extension.GFM, with an addressParser or without one.
type dialect struct{ addresses []util.PrioritizedValue }

func (d dialect) Extend(m goldmark.Markdown) {
	m.SetParser(newParser())
	for _, e := range []goldmark.Extender{extension.Table, extension.Strikethrough, extension.TaskList} {
		e.Extend(m)
	}
	m.Parser().AddOptions(parser.WithInlineParsers(d.addresses...))
}

// A grammar is a parser of a dialect of Markdown, and the same without addresses. It is safe for concurrent use.
//
// At each blank, the parser of addresses begins another part of a text. That takes a third of the time of parsing.
type grammar struct{ whole, withoutAddresses parser.Parser }

func newGrammar(create func(addresses []util.PrioritizedValue) parser.Parser) grammar {
	return grammar{whole: create(addresses), withoutAddresses: create(nil)}
}

// parse parses a text. The result does not depend on which parser is used.
func (g grammar) parse(src []byte) ast.Node {
	p := g.whole
	if !mayHaveAddress(src) && !bytes.Contains(src, []byte(" \n")) && !bytes.Contains(src, []byte("\t\n")) {
		p = g.withoutAddresses
	}
	return p.Parse(text.NewReader(src))
}

// mayHaveAddress returns false for a text without a word that an addressParser tries.
func mayHaveAddress(src []byte) bool {
	return bytes.IndexByte(src, '@') >= 0 || bytes.Contains(src, []byte("http")) ||
		bytes.Contains(src, []byte("www.")) || bytes.Contains(src, []byte("ftp:"))
}

// addresses are links to addresses that a text names.
var addresses = []util.PrioritizedValue{util.Prioritized(addressParser{extension.NewLinkifyParser()}, 999)}

// An addressParser is the parser of goldmark for words that may be an address. That parser compares each word of a text
// with several prefixes, an eighth of the work for Markdown.
type addressParser struct{ parser.InlineParser }

// maxMailbox is the longest name before the @ of a mail address in bytes, as in util.FindEmailIndex.
const maxMailbox = 64

func (p addressParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	word := line
	if strings.IndexByte(" *_~(", line[0]) >= 0 {
		word = line[1:]
	}
	switch string(word[:min(len(word), 4)]) {
	case "http", "ftp:", "www.":
	default:
		if bytes.IndexByte(word[:min(len(word), maxMailbox+1)], '@') < 0 {
			return nil
		}
	}
	return p.InlineParser.Parse(parent, block, pc)
}
