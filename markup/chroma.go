package markup

import "github.com/alecthomas/chroma/v2"

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
