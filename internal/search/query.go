package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Query is a parsed query.
type Query struct {
	wanted, unwanted []*phrase
	filters          []filter
	partial          bool     // documents with some of the words are hits
	unknown          []string // words before a colon that are not filters
	first            bool     // see Options
	round            *round   // for the Cut layout
}

// A phrase is a sequence of words; a single word is a phrase, too.
type phrase struct {
	terms  []string
	prefix bool    // the last word may continue
	exact  bool    // it was quoted or ends in *
	bits   []int   // of the terms, while a text is matched
	units  int     // number of units that hold it
	idf    float64 // higher for rarer phrases
	known  bool    // units and idf are those of the whole site, of which this index is a part
	skip   []bool  // terms that are only matched against texts, nil for none
}

// longestQuery is how many words of a query are looked for, and how many of its words after a minus. For each of them
// match keeps a bit, and a number in assets/js/search.js has 32.
const longestQuery = 32

// A filter is a condition on documents: tool:Edit, -is:error.
type filter struct {
	not        bool
	key, value string
	path       *phrase
	day        time.Time
	inText     bool // it is only matched against texts
}

var queryParts = regexp.MustCompile(`(-?)(?:([a-z]+):)?(?:"([^"]*)("?)|(\S+))`)

var filterKeys = map[string]bool{
	"tool": true, "project": true, "is": true, "kind": true, "model": true, "after": true, "before": true, "path": true,
	"agent": true,
}

// Options tell how to parse a query.
type Options struct {
	Open  bool // the last word may continue, because it is still being typed
	First bool // only one round of the Cut layout, as for the first answer on pages
}

// ParseQuery parses a query: words, "phrases", -not, prefix*, and the filters tool: project: is: kind: model: agent:
// after: before: path:. Unquoted stop words are dropped if any other word is left.
func ParseQuery(text string, o Options) Query {
	q := Query{first: o.First}
	for _, m := range queryParts.FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) (string, bool) {
			if m[2*i] < 0 {
				return "", false
			}
			return text[m[2*i]:m[2*i+1]], true
		}
		minus, _ := part(1)
		key, _ := part(2)
		quoted, isQuoted := part(3)
		plain, _ := part(5)
		value := quoted + plain
		if filterKeys[key] {
			f := filter{not: minus != "", key: key, value: strings.ToLower(value)}
			if key == "path" {
				if f.path = newPhrase(value, true); f.path == nil {
					continue
				}
			}
			f.day = readDay(value)
			q.filters = append(q.filters, f)
			continue
		}
		if key != "" {
			if len(key) > 1 && value != "" && !strings.HasPrefix(value, "/") {
				q.unknown = append(q.unknown, key)
			}
			value = key + ":" + value
		}
		open := !isQuoted && (o.Open && m[1] == len(text) || strings.HasSuffix(plain, "*"))
		p := newPhrase(strings.TrimSuffix(value, "*"), open)
		switch {
		case p == nil:
		case minus != "":
			q.unwanted = append(q.unwanted, p)
		default:
			p.exact = isQuoted || strings.HasSuffix(plain, "*")
			q.wanted = append(q.wanted, p)
		}
	}
	q.wanted, q.unwanted = beginning(withoutStopWords(q.wanted)), beginning(q.unwanted)
	return q
}

// beginning returns the first phrases, with at most longestQuery words.
func beginning(phrases []*phrase) []*phrase {
	words := 0
	return slices.DeleteFunc(phrases, func(p *phrase) bool {
		words += len(p.terms)
		return words > longestQuery
	})
}

// Empty reports whether a query has no words and no filters.
func (q Query) Empty() bool { return len(q.wanted) == 0 && len(q.filters) == 0 }

// Unknown returns the words before a colon that are not filters. They were read as words.
func (q Query) Unknown() []string { return q.unknown }

// Agents returns the names after agent:.
func (q Query) Agents() []string {
	var names []string
	for _, f := range q.filters {
		if f.key == "agent" {
			names = append(names, f.value)
		}
	}
	return names
}

// Check returns an error for a filter with an unknown value.
func (q Query) Check() error {
	for _, f := range q.filters {
		given := f.key + ":" + f.value
		switch {
		case f.key == "kind" && !slices.Contains(kindNames[:], f.value):
			kinds := slices.Clone(kindNames[:])
			slices.Reverse(kinds)
			last := len(kinds) - 1
			return fmt.Errorf("%s is invalid: kind: takes %s or %s", given, strings.Join(kinds[:last], ", "),
				kinds[last])
		case f.key == "is" && f.value != "error":
			return fmt.Errorf("%s is invalid: is: takes error", given)
		case (f.key == "after" || f.key == "before") && f.day.IsZero():
			return fmt.Errorf("%s is invalid: %s: takes a day, month or year: 2026-07-14, 2026-07, 2026", given, f.key)
		}
	}
	return nil
}

func readDay(s string) time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// newPhrase returns a phrase of the first words of a text, or nil if it has none.
func newPhrase(text string, open bool) *phrase {
	p := new(phrase)
	end := 0
	for _, t := range termsOf(text) {
		if !t.Subword && len(p.terms) < longestQuery {
			p.terms, end = append(p.terms, t.Text), t.End
		}
	}
	if len(p.terms) == 0 {
		return nil
	}
	p.prefix = open && end == len(text) && utf8.RuneCountInString(p.terms[len(p.terms)-1]) >= shardLetters
	return p
}
