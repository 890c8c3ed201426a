package markup

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// chromaScanner makes lexer a scanner. It stops where the tokens no longer
// spell the source (some lexers rewrite it) and adds nothing after its end
// (some add a newline).
func chromaScanner(lexer chroma.Lexer) scanner {
	return func(src string, emit func(class byte, end int)) {
		tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", Nested: true}, src)
		if err != nil {
			return
		}
		pos := 0
		for t := tokens(); t != chroma.EOF; t = tokens() {
			if !strings.HasPrefix(src[pos:], t.Value) {
				if rest := src[pos:]; strings.HasPrefix(t.Value, rest) {
					emit(chromaClass(t.Type), len(src))
				}
				return
			}
			pos += len(t.Value)
			if blank(t.Value) {
				emit(0, pos)
			} else {
				emit(chromaClass(t.Type), pos)
			}
		}
	}
}

// chromaClass folds chroma's ninety types into our classes.
func chromaClass(t chroma.TokenType) byte {
	switch t {
	case chroma.KeywordConstant, chroma.NameEntity:
		return 'n'
	case chroma.KeywordType, chroma.NameClass, chroma.NameException,
		chroma.NameBuiltin, chroma.NameBuiltinPseudo, chroma.NameAttribute:
		return 't'
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return 'f'
	case chroma.NameDecorator, chroma.CommentPreproc, chroma.CommentPreprocFile, chroma.CommentHashbang:
		return 'p'
	case chroma.NameTag, chroma.OperatorWord:
		return 'k'
	case chroma.LiteralStringInterpol:
		return 0
	case chroma.GenericHeading, chroma.GenericSubheading:
		return 'h'
	case chroma.GenericInserted:
		return 'i'
	case chroma.GenericDeleted:
		return 'd'
	case chroma.GenericPrompt:
		return 'c'
	}
	switch {
	case t.InCategory(chroma.Keyword):
		return 'k'
	case t.InCategory(chroma.Comment):
		return 'c'
	case t.InSubCategory(chroma.LiteralString):
		return 's'
	case t.InCategory(chroma.Literal):
		return 'n'
	}
	return 0
}
