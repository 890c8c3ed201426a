package highlight

import "strings"

// Java, Kotlin, C# and Swift: classes, annotations, strings with code in them.

var java = grammar{
	words: []wordList{
		{class: 'k', words: "assert break case catch continue default do else finally for if goto instanceof new " +
			"return switch this throw try while abstract const extends final implements native non-sealed permits " +
			"private protected public sealed static strictfp super synchronized throws transient volatile yield " +
			"package import var exports opens requires"},
		{class: 'k', next: 't', words: "class interface record enum"},
		{class: 't', words: "boolean byte char double float int long short void"},
		{class: 'n', words: "true false null"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true},
		{class: 's', open: `"""`, shut: `"""`, escape: '\\', lines: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\'},
		{class: 's', open: "'", shut: "'", escape: '\\'},
	},
	first:   "$",
	part:    "$",
	declare: 'f',
	member:  't',
	hooks:   "@",
	hook:    annotation,
	onWord:  javaWord,
}

var kotlin = grammar{
	words: []wordList{
		{class: 'k', words: "abstract actual annotation as break by catch companion const constructor continue " +
			"crossinline data delegate do dynamic else enum expect external false field file final finally for " +
			"get if import in infix init inline inner internal is it lateinit noinline null open operator out " +
			"override package param private property protected public receiver reified return sealed set setparam " +
			"super suspend tailrec this throw true try typealias typeof val value var vararg when where while"},
		{class: 'k', next: 't', words: "class interface object"},
		{class: 'k', next: 'f', words: "fun"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true, nest: true},
		{class: 's', open: `"""`, shut: `"""`, lines: true, code: "${", vars: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\', code: "${", vars: true},
		{class: 's', open: "'", shut: "'", escape: '\\'},
		{open: "`", shut: "`"},
	},
	hooks: "@",
	hook:  annotation,
}

var csharp = grammar{
	words: []wordList{
		{class: 'k', words: "as await base break by case catch checked continue default delegate do else event " +
			"finally fixed for foreach goto if in init is let lock new on out params readonly ref return sizeof " +
			"stackalloc switch this throw try typeof unchecked virtual void while get set yield add remove value " +
			"alias ascending descending from group into orderby select where join equals abstract async const " +
			"enum explicit extern implicit internal operator override partial private protected public static " +
			"sealed unsafe volatile namespace using required file global"},
		{class: 'k', next: 't', words: "class struct record interface"},
		{class: 't', words: "bool byte char decimal double dynamic float int long object sbyte short string uint " +
			"ulong ushort var nint nuint"},
		{class: 'n', words: "true false null"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true},
		{class: 's', open: `"""`, shut: `"""`, lines: true},
		{class: 's', open: `$"""`, shut: `"""`, lines: true, code: "{"},
		{class: 's', open: `$@"`, shut: `"`, double: true, lines: true, code: "{", spec: true, twice: true},
		{class: 's', open: `@$"`, shut: `"`, double: true, lines: true, code: "{", spec: true, twice: true},
		{class: 's', open: `$"`, shut: `"`, escape: '\\', code: "{", spec: true, twice: true},
		{class: 's', open: `@"`, shut: `"`, double: true, lines: true},
		{class: 's', open: `"`, shut: `"`, escape: '\\'},
		{class: 's', open: "'", shut: "'", escape: '\\'},
	},
	hooks: "[#",
	hook:  csharpHook,
}

var swift = grammar{
	words: []wordList{
		{class: 'k', words: "fallthrough continue default repeat switch return throw catch where break guard " +
			"defer while case else try for if do is in as await async actor associatedtype associativity " +
			"convenience nonmutating precedence override optional mutating indirect rethrows required willSet " +
			"dynamic postfix unowned throws prefix didSet final inout infix lazy weak get set some any let var " +
			"typealias subscript internal operator private fileprivate public open deinit static init nonisolated " +
			"isolated"},
		{class: 'k', next: 't', words: "class enum extension struct protocol import"},
		{class: 'k', next: 'f', words: "func"},
		{class: 'n', words: "false nil self Self super true _"},
		{class: 't', words: "Any AnyObject Array Bool Character Dictionary Double Error Float Int Int16 Int32 " +
			"Int64 Int8 Never Optional Range Result Set String UInt UInt16 UInt32 UInt64 UInt8 Void print min max " +
			"abs fatalError precondition assert"},
	},
	delims: []delim{
		{class: 'c', open: "//", shut: "\n"},
		{class: 'c', open: "/*", shut: "*/", lines: true, nest: true},
		{class: 's', open: `"""`, shut: `"""`, escape: '\\', lines: true, code: `\(`},
		{class: 's', open: `"`, shut: `"`, escape: '\\', code: `\(`},
		{class: 's', open: `#"`, shut: `"#`, lines: true},
	},
	hooks:  "@#",
	hook:   swiftHook,
	onWord: swiftMember,
}

var swiftMembers = newWordTable(
	wordList{class: 'k', words: "init"},
	wordList{class: 't', words: "count isEmpty first last indices lazy map filter reduce contains sorted sort " +
		"reverse split join prefix suffix dropFirst dropLast removeLast removeAll insert swap min max"},
)

// swiftMember recognizes the most common members of collections.
func swiftMember(l *lexer, start, end int) bool {
	if l.prev != '.' {
		return false
	}
	w, ok := swiftMembers.find(l.src[start:end])
	if ok {
		l.tok(w.class, start, end)
		l.prev, l.next = 'a', 0
	}
	return ok
}

// annotation reads "@Name" and "@a.b.Name".
func annotation(l *lexer, i int) bool {
	end := i + 1
	for end < len(l.src) && (l.inName[l.src[end]] || l.src[end] == '.') {
		end++
	}
	if end == i+1 || l.src[i+1:end] == "interface" {
		return false
	}
	l.tok('p', i, end)
	l.prev, l.next = 'a', 0
	return true
}

// javaWord reads the path after package and import as one name.
func javaWord(l *lexer, start, end int) bool {
	if l.prev == '.' {
		return false
	}
	switch l.src[start:end] {
	case "package", "import":
		l.tok('k', start, end)
		i := end
		if strings.HasPrefix(l.src[i:], " static ") {
			l.tok('k', start, i+7)
			i += 7
		}
		l.pos = min(max(i, i+strings.IndexAny(l.src[i:min(len(l.src), i+200)], ";\n")), len(l.src))
		l.prev, l.next = 'a', 0
		return true
	}
	return false
}

func csharpHook(l *lexer, i int) bool {
	if !l.lineStart(i) {
		return false
	}
	line := l.src[i:l.lineEnd(i)]
	if line[0] == '[' {
		n := strings.IndexByte(line, ']')
		if n < 0 {
			return false
		}
		l.tok('t', i, i+n+1)
		return true
	}
	n := 1
	for n < len(line) && line[n] == ' ' { // "# region"
		n++
	}
	for n < len(line) && l.inName[line[n]] {
		n++
	}
	l.tok('p', i, i+len(strings.TrimRight(line[:n], " ")))
	return true
}

func swiftHook(l *lexer, i int) bool {
	end := l.nameEnd(i + 1)
	if end == i+1 {
		return false
	}
	class := byte('p')
	switch l.src[i+1 : end] {
	case "selector":
		class = 'k'
	case "file", "line", "column", "function":
		class = 'n'
	}
	l.tok(class, i, end)
	l.prev, l.next = 'a', 0
	return true
}
