package markup

import "strings"

// Limits for the Markdown parser. Its time is linear for texts that people and models write, and worse for some hostile
// ones. These constructs were found by giving it each a hundred thousand times:
//
//	nested containers    lines x depth, and depth² ("> > > >", "- - - -")
//	a failing link       from "](" to the end of the target, each time ("[a](")
//	brackets             from "]" back to its "[" ("[[[[]]]]"), and x lines of a paragraph
//	delimiters           links x delimiters and delimiters² of a paragraph ("*a_b*"),
//	                     and the length of a run of them, squared ("~~~~~")
//	code                 from an escaped backtick to the end of the paragraph ("``\")
//	definitions          definitions x lines of a paragraph ("[a]: b"), and lines² for
//	                     a label of many lines
//	table rows           are filled up to the width of the head; "\\|" is quadratic
//
// parseCost reads the text once and adds up an upper bound for each. The unit is about a nanosecond.
const (
	maxDepth  = 100
	maxCost   = 100_000_000
	freeCost  = 500_000 // allowed for any text
	byteCost  = 300     // allowed for each byte; the maximum in 21,000 texts of real sessions is 209
	cellCost  = 300     // a cell that is filled in
	depthCost = 200     // a line inside one more container
	labelCost = 12      // a byte of what may be the label of a definition
	maxLabel  = 999     // bytes of a label
	maxProse  = 4 << 20
	maxIndent = 3 // columns before a list marker; more make it text
)

// isAffordable reports whether text can be parsed in time proportional to its size.
func isAffordable(text string) bool {
	return len(text) <= maxProse && parseCost(text) <= min(maxCost, freeCost+byteCost*len(text))
}

// parseCost returns an upper bound of what parsing text costs beyond its length, or any number above maxCost.
func parseCost(text string) int {
	total := 0
	depth := 0             // open containers
	inText := false        // the line before was not blank
	var para paragraphCost // of the open paragraph
	for text != "" && total <= maxCost {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		p := readPrefix(line)
		if p.blank {
			total += depth * depthCost
			total += para.cost()
			para = paragraphCost{}
			inText = false
			continue
		}
		// Blanks can only continue an open container.
		d := min(p.columns/2, depth) + p.markers
		if inText && !p.interrupts {
			d = max(d, depth) // may be a lazy continuation
		}
		depth = d
		if p.quotes > 0 && p.empty {
			total += para.cost()
			para = paragraphCost{}
		}
		if depth > maxDepth {
			return maxCost + 1
		}
		total += depth * depthCost
		if p.interrupts && p.indent <= maxIndent {
			total += para.cost()
			para = paragraphCost{}
		}
		total += para.read(line, maxCost-total)
		inText = true
	}
	return total + para.cost()
}

// A prefix is the part of a line before its text.
type prefix struct {
	blank      bool // nothing but blanks
	empty      bool // nothing but blanks and markers
	indent     int  // columns before the first marker
	columns    int  // of blanks
	markers    int  // of quotes and lists
	quotes     int  // of markers
	interrupts bool // starts with a marker that ends a paragraph
}

func readPrefix(line string) (p prefix) {
	p.blank, p.empty = true, true
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ':
			p.columns++
		case c == '\t':
			p.columns += 4
		case c == '>':
			p.mark(false) // in a quote it continues the paragraph
			p.quotes++
		case c == '-' || c == '+' || c == '*':
			if i+1 < len(line) && line[i+1] != ' ' && line[i+1] != '\t' {
				p.blank, p.empty = false, false
				return p
			}
			// An empty item does not end a paragraph.
			p.mark(strings.Trim(line[i+1:min(len(line), i+64)], " \t") != "")
		case c >= '0' && c <= '9':
			n := i + 1
			for n < len(line) && n-i < 10 && line[n] >= '0' && line[n] <= '9' {
				n++
			}
			if n == len(line) || line[n] != '.' && line[n] != ')' ||
				n+1 < len(line) && line[n+1] != ' ' && line[n+1] != '\t' {
				p.blank, p.empty = false, false
				return p
			}
			p.mark(false) // only the number 1 does
			i = n
		default:
			if c == '[' && strings.HasPrefix(line[i:], "[^") {
				p.mark(false) // a footnote contains blocks, too
			}
			p.blank, p.empty = false, false
			return p
		}
	}
	return p
}

func (p *prefix) mark(interrupts bool) {
	if p.markers == 0 {
		p.indent = p.columns
		p.interrupts = interrupts
	}
	p.markers++
	p.blank = false
}

// paragraphCost counts the parts of a paragraph whose number multiplies the cost.
type paragraphCost struct {
	lines       int
	brackets    int // "]"
	delimiters  int // runs of * _ ~
	definitions int
	ticks       int   // runs of backticks after a backslash
	label       bool  // a line starts with "[" and does not close it
	opens       []int // offsets of "["
	size        int
	width       int // of the table, if it is one
}

// cost returns the cost that is known at the end of the paragraph.
func (b *paragraphCost) cost() int {
	labels := 0
	if b.label {
		labels = b.lines * b.lines / 2
	}
	return labels + b.brackets*(2*b.delimiters+b.lines) +
		2*b.delimiters*b.delimiters +
		2*b.definitions*b.lines +
		b.ticks*b.size/4
}

// counted are the bytes that paragraphCost.read counts.
var counted = func() (t [256]bool) {
	for _, c := range []byte("[]*_~`") {
		t[c] = true
	}
	return
}()

// read counts a line and returns the cost that is known already. It stops when that is more than limit.
func (b *paragraphCost) read(line string, limit int) (cost int) {
	b.lines++
	if b.width > 0 {
		cost += max(0, b.width-strings.Count(line, "|")) * cellCost
	} else if isRule(line) {
		b.width = strings.Count(line, "|") + 1
	}
	if n := strings.Count(line, `\|`); n > 1 {
		cost += n * n
	}
	first := 0
	for first < len(line) && !counted[line[first]] {
		first++
	}
	if first == len(line) {
		b.size += len(line) + 1
		return cost
	}
	if text := strings.TrimLeft(line, " \t>-+*"); strings.HasPrefix(text, "[") && !strings.Contains(text, "]") {
		b.label = true
	}
	last, run := byte(0), 0
	if first > 0 {
		last = line[first-1]
	}
	for i := first; i < len(line) && cost <= limit; i++ {
		c := line[i]
		switch c {
		case '[':
			b.opens = append(b.opens, b.size+i)
		case ']':
			b.brackets++
			if n := len(b.opens); n > 0 {
				inside := b.size + i - b.opens[n-1]
				cost += inside/4 + labelCost*min(inside, maxLabel) // its text is copied and becomes a label
				b.opens = b.opens[:n-1]
			}
			if i+1 < len(line) {
				switch line[i+1] {
				case '(':
					cost += 4 * targetLength(line[i+2:])
				case ':':
					b.definitions++
				}
			}
		case '*', '_', '~':
			if c != last {
				b.delimiters++
				run = 0
			}
			cost += run // adds up to half the square of the run
			run++
		case '`':
			if last == '\\' {
				b.ticks++
			}
		}
		last = c
	}
	b.size += len(line) + 1
	return cost
}

// isRule reports whether line may be the one below the head of a table.
func isRule(line string) bool {
	dash := false
	for i := range len(line) {
		switch line[i] {
		case '-':
			dash = true
		case '|', ':', ' ', '\t', '>':
		default:
			return false
		}
	}
	return dash
}

// targetLength returns how far the parser looks for the end of a link's target.
func targetLength(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t':
			return i
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(s)
}
