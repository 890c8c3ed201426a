package corpusgen

import (
	"bytes"
	"embed"
	"encoding/base64"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The folder holds samples of code by language, of outputs by kind of command,
// commands with the kind of their output, and prose, with places to fill:
// <<n>> a name, <<N>> a Name, <<s>> a name_of_two, <<w>> a few words, <<W>> the
// same with a capital letter, <<d>> a number, <<c>> a digit, <<h>> seven hex
// digits, <<e>> the escape character.
//
//go:embed stock/*.txt
var samples embed.FS

// A stock is text to cut from, filled once for all sessions of a folder.
type stock struct {
	code     map[string][]byte // by ending: "go", "py"
	outputs  map[string][]byte // by kind: "gotest", "log"
	commands [][]string        // kind, command, description
	prose    [][]byte          // sentences
	nouns    []string
	prompts  [][]byte
	verbs    []string
	pixels   []byte
	noise    []byte // base64
}

// stockSize is how much of each code and output there is to cut from.
const stockSize = 96 << 10

func newStock(dice *rand.Rand) *stock {
	s := &stock{code: make(map[string][]byte), outputs: make(map[string][]byte)}
	f := &filler{dice: dice}
	for i, line := range lines("words") {
		f.words[i] = strings.Fields(line)
	}
	s.nouns, s.verbs = f.words[0], f.words[1]
	files, err := fs.Glob(samples, "stock/*.txt") // sorted, so that the lots are drawn in the same order
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "stock/"), ".txt")
		if ending, ok := strings.CutPrefix(name, "sample."); ok {
			s.code[ending] = f.blocks(strings.Split(text(name), "\n\n"), "\n\n")
		}
		if kind, ok := strings.CutPrefix(name, "output."); ok {
			s.outputs[kind] = f.blocks(lines(name), "\n")
		}
	}
	for _, line := range lines("commands") {
		for range 12 {
			s.commands = append(s.commands, strings.Split(string(f.fill(nil, line)), "\t"))
		}
	}
	for range 1500 {
		s.prose = append(s.prose, f.fill(nil, pick(dice, lines("prose"))))
		s.prompts = append(s.prompts, f.fill(nil, pick(dice, lines("prompts"))))
	}
	s.pixels = newPixels(dice)
	s.noise = newNoise(dice)
	return s
}

func text(name string) string {
	data, err := samples.ReadFile("stock/" + name + ".txt")
	if err != nil {
		panic(err) // embedded
	}
	return strings.TrimRight(string(data), "\n")
}

func lines(name string) []string { return strings.Split(text(name), "\n") }

func newNoise(dice *rand.Rand) []byte {
	raw := make([]byte, stockSize)
	for i := range raw {
		raw[i] = byte(dice.Uint32())
	}
	return base64.StdEncoding.AppendEncode(nil, raw)
}

// A filler fills samples.
type filler struct {
	dice  *rand.Rand
	words [4][]string // nouns, verbs, adjectives, articles
}

// blocks fills samples drawn by lot until there is enough of them.
func (f *filler) blocks(samples []string, between string) []byte {
	out := make([]byte, 0, stockSize+4<<10)
	for len(out) < stockSize {
		out = f.fill(out, pick(f.dice, samples))
		out = append(out, between...)
	}
	return out
}

func (f *filler) fill(out []byte, sample string) []byte {
	for {
		at := place(sample)
		if at < 0 {
			return append(out, sample...)
		}
		out = append(out, sample[:at]...)
		out = f.word(out, sample[at+2])
		sample = sample[at+5:]
	}
}

// place returns where the next place to fill begins, -1 when there is none.
func place(sample string) int {
	for i := 0; i+5 <= len(sample); i++ {
		if sample[i] == '<' && sample[i+1] == '<' && sample[i+2] != '<' && sample[i+3] == '>' && sample[i+4] == '>' {
			return i
		}
	}
	return -1
}

func (f *filler) word(out []byte, place byte) []byte {
	noun := func() string { return pick(f.dice, f.words[0]) }
	switch place {
	case 'n':
		return append(append(out, noun()...), title(noun())...)
	case 'N':
		return append(append(out, title(noun())...), title(noun())...)
	case 's':
		return append(append(append(out, noun()...), '_'), noun()...)
	case 'w', 'W':
		from := len(out)
		out = append(out, pick(f.dice, f.words[3])...)
		for _, w := range []string{
			pick(f.dice, f.words[2]), noun(), pick(f.dice, f.words[1]), pick(f.dice, f.words[3]), noun(),
		} {
			out = append(append(out, ' '), w...)
		}
		if place == 'W' {
			out[from] -= 'a' - 'A'
		}
		return out
	case 'd':
		return strconv.AppendInt(out, int64(1+f.dice.IntN(pick(f.dice, []int{9, 99, 999}))), 10)
	case 'c':
		return append(out, byte('1'+f.dice.IntN(9)))
	case 'h':
		return strconv.AppendInt(out, int64(1<<24+f.dice.IntN(1<<28-1<<24)), 16)
	case 'e':
		return append(out, 0x1b)
	}
	panic("corpusgen: a sample has no such place: " + string(place))
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// cut takes whole lines of about so many bytes from anywhere in a text.
func cut(dice *rand.Rand, from []byte, size int) []byte {
	var out []byte
	for size > len(from)/2 { // longer than the stock: several pieces of it
		out = append(out, cut(dice, from, len(from)/2)...)
		out = append(out, '\n')
		size -= len(from) / 2
	}
	at := dice.IntN(len(from) - size)
	at += bytes.IndexByte(from[at:], '\n') + 1
	end := min(len(from), at+max(size, 1))
	if n := bytes.LastIndexByte(from[at:end], '\n'); n > 0 {
		end = at + n
	} else if n := bytes.IndexByte(from[at:], '\n'); n > 0 { // at least one line
		end = at + n
	}
	if out == nil {
		return from[at:end:end]
	}
	return append(out, from[at:end]...)
}
