package sqlite

import (
	"slices"
	"strings"
)

// maxColumns is the default limit of SQLite.
const maxColumns = 2000

// define finds the columns of a table in the SQL statement that created it.
func (t *Table) define(sql string) {
	t.alias = -1
	words := wordsOf(sql)
	open := slices.IndexFunc(words, func(w word) bool { return w.is("(") })
	if open < 0 {
		return // a virtual table, or one that was created by a query in an unknown form
	}
	var columns []column
	var key []string
	rest := words[open+1:]
	for len(rest) > 0 && len(columns) < maxColumns {
		var definition []word
		definition, rest = cut(rest)
		switch {
		case len(definition) == 0: // not SQL
		case definition[0].is("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"):
			key = append(key, keyOf(definition)...)
		default:
			columns = append(columns, columnOf(definition))
		}
		if len(rest) > 0 && rest[0].is(")") {
			rest = rest[1:]
			break
		}
		if len(rest) > 0 { // after a comma
			rest = rest[1:]
		}
	}
	for i := range rest {
		t.keyed = t.keyed || i > 0 && rest[i-1].is("WITHOUT") && rest[i].is("ROWID")
	}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.name)
		if c.key {
			key = []string{c.name}
		}
	}
	t.store(columns, key)
}

// store finds the index of each column in a record.
func (t *Table) store(columns []column, key []string) {
	t.stored = make([]int, len(columns))
	next := 0
	for i := range t.stored {
		t.stored[i] = -1
	}
	if t.keyed { // the columns of the key come first
		for _, name := range key {
			if i := t.column(name); i >= 0 && t.stored[i] < 0 {
				t.stored[i] = next
				next++
			}
		}
	} else if len(key) == 1 {
		if i := t.column(key[0]); i >= 0 && columns[i].integer {
			t.alias = i
		}
	}
	for i, c := range columns {
		if t.stored[i] < 0 && !c.computed {
			t.stored[i] = next
			next++
		}
	}
}

// A column is a column definition.
type column struct {
	name     string
	integer  bool
	key      bool // it is the primary key
	computed bool // it is computed and not stored
}

func columnOf(definition []word) column {
	c := column{name: definition[0].text}
	c.integer = len(definition) > 1 && definition[1].is("INTEGER") &&
		(len(definition) == 2 || !definition[2].isName() || definition[2].isConstraint())
	stored := false
	for i, w := range definition[1:] {
		c.key = c.key || w.is("PRIMARY")
		c.computed = c.computed || w.is("AS") && i+2 < len(definition) && definition[i+2].is("(")
		stored = stored || w.is("STORED")
	}
	c.computed = c.computed && !stored
	return c
}

// keyOf returns the columns of a constraint that is a primary key.
func keyOf(definition []word) []string {
	at := slices.IndexFunc(definition, func(w word) bool { return w.is("PRIMARY") })
	if at < 0 {
		return nil
	}
	var key []string
	for i, w := range definition[at:] {
		if i > 0 && definition[at+i-1].is("(", ",") {
			key = append(key, w.text)
		}
	}
	return key
}

// cut splits the words at the next comma or bracket on the same level.
func cut(words []word) (definition, rest []word) {
	depth := 0
	for i, w := range words {
		switch {
		case w.is("("):
			depth++
		case depth == 0 && w.is(")", ","):
			return words[:i], words[i:]
		case w.is(")"):
			depth--
		}
	}
	return words, nil
}

// A word is a name, a number, a text or a single character of SQL.
type word struct {
	text   string
	quoted bool
}

// is reports whether the word is one of these and not quoted.
func (w word) is(any ...string) bool {
	return !w.quoted && slices.ContainsFunc(any, func(s string) bool { return strings.EqualFold(w.text, s) })
}

func (w word) isName() bool { return w.quoted || w.text != "" && isLetter(w.text[0]) }

// isConstraint reports whether the word begins a constraint after the type of a column.
func (w word) isConstraint() bool {
	return w.is("CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
		"GENERATED", "AS")
}

func isLetter(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// wordsOf splits SQL into words.
func wordsOf(sql string) []word {
	var words []word
	for sql != "" {
		switch b := sql[0]; {
		case strings.HasPrefix(sql, "--"):
			_, sql, _ = strings.Cut(sql, "\n")
		case strings.HasPrefix(sql, "/*"):
			_, sql, _ = strings.Cut(sql[2:], "*/")
		case b == '"' || b == '`' || b == '\'' || b == '[':
			var text string
			text, sql = quoted(sql)
			words = append(words, word{text, true})
		case isLetter(b):
			n := 1
			for n < len(sql) && isLetter(sql[n]) {
				n++
			}
			words = append(words, word{sql[:n], false})
			sql = sql[n:]
		case b <= ' ':
			sql = sql[1:]
		default:
			words = append(words, word{sql[:1], false})
			sql = sql[1:]
		}
	}
	return words
}

// quoted returns the text in quotes and the rest. A doubled quote is one quote.
func quoted(sql string) (text, rest string) {
	end := sql[0]
	if end == '[' {
		end = ']'
	}
	var b strings.Builder
	for i := 1; i < len(sql); i++ {
		switch {
		case sql[i] != end:
			b.WriteByte(sql[i])
		case end != ']' && i+1 < len(sql) && sql[i+1] == end:
			b.WriteByte(end)
			i++
		default:
			return b.String(), sql[i+1:]
		}
	}
	return b.String(), ""
}
