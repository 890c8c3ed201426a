package tools

import (
	"cmp"
	"slices"
	"strings"
)

// Copilot keeps its list of things to do in a table, todos, which the model changes by SQL. Only the few forms of
// statements that models write are understood; any other changes nothing.

// A todoChange is a change of one item, or of all items if ID is "".
type todoChange struct {
	ID, Title, Status string
	Added             bool
}

// todoChanges returns the changes of a query, which may have several statements.
func todoChanges(query string) []todoChange {
	if !strings.Contains(query, "todos") {
		return nil
	}
	p := sqlReader{rest: query}
	var all []todoChange
	for statement := p.statement(); statement != nil; statement = p.statement() {
		all = append(all, changesOf(statement)...)
	}
	return all
}

// changesOf reads a statement: INSERT, UPDATE or DELETE.
func changesOf(s sqlTokens) []todoChange {
	switch {
	case s.take("insert"):
		if s.take("or") {
			s.next()
		}
		if s.take("into") && s.take("todos") {
			return s.inserted()
		}
	case s.take("update"):
		if s.take("todos") && s.take("set") {
			set := s.assignments()
			return s.where(todoChange{Title: set["title"], Status: set["status"]})
		}
	case s.take("delete"):
		if s.take("from") && s.take("todos") {
			return s.where(todoChange{Status: "deleted"})
		}
	}
	return nil
}

// A sqlToken is a word or a symbol in lower case, or a string.
type sqlToken struct {
	word string
	text string // of a string in quotes
	isIt bool   // a string
}

func (t sqlToken) value() string {
	if t.isIt {
		return t.text
	}
	return t.word
}

type sqlTokens []sqlToken

func (s *sqlTokens) next() (t sqlToken) {
	if len(*s) > 0 {
		t, *s = (*s)[0], (*s)[1:]
	}
	return t
}

// take skips a word or a symbol if it is next, and reports whether it was.
func (s *sqlTokens) take(word string) bool {
	if len(*s) == 0 || (*s)[0].isIt || (*s)[0].word != word {
		return false
	}
	*s = (*s)[1:]
	return true
}

// list reads "(a, b)".
func (s *sqlTokens) list() []string {
	if !s.take("(") {
		return nil
	}
	var all []string
	for len(*s) > 0 {
		all = append(all, s.next().value())
		if !s.take(",") {
			break
		}
	}
	s.take(")")
	return all
}

// inserted reads the columns and the rows of an INSERT.
func (s *sqlTokens) inserted() (all []todoChange) {
	columns := s.list()
	if !s.take("values") {
		return nil
	}
	for row := s.list(); row != nil; row = s.list() {
		c := todoChange{Added: true}
		for i, v := range row {
			switch {
			case i >= len(columns):
			case columns[i] == "id":
				c.ID = v
			case columns[i] == "title":
				c.Title = v
			case columns[i] == "status":
				c.Status = v
			}
		}
		all = append(all, c)
		s.take(",")
	}
	return all
}

// assignments reads "a = 'x', b = 'y'".
func (s *sqlTokens) assignments() map[string]string {
	set := make(map[string]string)
	for len(*s) > 0 {
		name := s.next().value()
		if !s.take("=") {
			break
		}
		set[name] = s.next().value()
		if !s.take(",") {
			break
		}
	}
	return set
}

// where returns the change for each item that WHERE names by its id; none for any other condition.
func (s *sqlTokens) where(c todoChange) []todoChange {
	if len(*s) == 0 {
		return []todoChange{c}
	}
	if !s.take("where") || !s.take("id") {
		return nil
	}
	var ids []string
	switch {
	case s.take("="):
		ids = []string{s.next().value()}
	case s.take("in"):
		ids = s.list()
	}
	if len(*s) > 0 {
		return nil
	}
	var all []todoChange
	for _, id := range ids {
		if c.ID = id; id != "" { // "" would mean all
			all = append(all, c)
		}
	}
	return all
}

// A sqlReader splits a query into tokens.
type sqlReader struct{ rest string }

// statement returns the tokens of the next statement that is not empty, nil at the end.
func (r *sqlReader) statement() sqlTokens {
	var all sqlTokens
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		if r.rest == "" {
			return all
		}
		switch c := r.rest[0]; {
		case c == ';':
			r.rest = r.rest[1:]
			if all != nil {
				return all
			}
		case strings.HasPrefix(r.rest, "--"):
			_, r.rest, _ = strings.Cut(r.rest, "\n")
		case c == '\'' || c == '"' || c == '`':
			all = append(all, sqlToken{text: r.quoted(c), isIt: c == '\''})
			if last := &all[len(all)-1]; !last.isIt {
				last.word = strings.ToLower(last.text)
			}
		case isSQLWord(c):
			end := strings.IndexFunc(r.rest, func(c rune) bool { return c < 128 && !isSQLWord(byte(c)) })
			if end < 0 {
				end = len(r.rest)
			}
			all = append(all, sqlToken{word: strings.ToLower(r.rest[:end])})
			r.rest = r.rest[end:]
		default:
			all = append(all, sqlToken{word: r.rest[:1]})
			r.rest = r.rest[1:]
		}
	}
}

func isSQLWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 128
}

// quoted returns the string in quotes, in which a quote is doubled.
func (r *sqlReader) quoted(quote byte) string {
	var b strings.Builder
	for i := 1; i < len(r.rest); i++ {
		if r.rest[i] == quote {
			if i+1 >= len(r.rest) || r.rest[i+1] != quote {
				r.rest = r.rest[i+1:]
				return b.String()
			}
			i++
		}
		b.WriteByte(r.rest[i])
	}
	r.rest = ""
	return b.String()
}

// apply makes the changes of a query, and returns the subject of the changed item.
func (l *taskList) apply(all []todoChange, change int) (subject string) {
	for _, c := range all {
		if c.Added {
			title := cmp.Or(c.Title, c.ID)
			l.add(&Task{c.ID, []TaskPast{{Change: change, Subject: title, Status: c.Status}}})
			subject = title
			continue
		}
		touched := l.byID[c.ID]
		if c.ID == "" {
			touched = slices.Clone(l.tasks)
		}
		for _, t := range touched[max(0, len(touched)-maxTasks):] {
			now := t.Past[len(t.Past)-1]
			now.Change = change
			if c.Title != "" {
				now.Subject = c.Title
			}
			if c.Status != "" {
				now.Status = c.Status
			}
			t.Past = append(t.Past, now)
			subject = now.Subject
		}
	}
	if len(all) > 1 {
		return ""
	}
	return subject
}
