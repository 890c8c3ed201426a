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

// The folder has samples of code by language, samples of output by kind of command, commands with the kind of their
// output, and prose. They have placeholders: <<n>> for a name, <<N>> for a Name, <<s>> for a name_of_two, <<w>> for a
// few words, <<W>> for the same with a capital letter, <<d>> for a number, <<c>> for a digit, <<h>> for seven hex
// digits, <<e>> for the escape character.
//
//go:embed samples/*.txt
var samples embed.FS

// A textPool is text from which pieces are cut, filled once for all sessions of a folder.
type textPool struct {
	code     map[string][]byte // by extension: "go", "py"
	outputs  map[string][]byte // by kind: "gotest", "log"
	commands [][]string        // kind, command, description
	prose    [][]byte          // sentences
	nouns    []string
	prompts  [][]byte
	verbs    []string
	pixels   []byte
	noise    []byte // base64
}

// poolSize is the size of each text of code and output.
const poolSize = 96 << 10

func newTextPool(rng *rand.Rand) *textPool {
	s := &textPool{code: make(map[string][]byte), outputs: make(map[string][]byte)}
	f := &filler{rng: rng}
	for i, line := range lines("words") {
		f.words[i] = strings.Fields(line)
	}
	s.nouns, s.verbs = f.words[0], f.words[1]
	files, err := fs.Glob(samples, "samples/*.txt") // sorted, so that random choices are made in the same order
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "samples/"), ".txt")
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
		s.prose = append(s.prose, f.fill(nil, pick(rng, lines("prose"))))
		s.prompts = append(s.prompts, f.fill(nil, pick(rng, lines("prompts"))))
	}
	s.pixels = newPixels(rng)
	s.noise = newNoise(rng)
	return s
}

func text(name string) string {
	data, err := samples.ReadFile("samples/" + name + ".txt")
	if err != nil {
		panic(err) // embedded
	}
	return strings.TrimRight(string(data), "\n")
}

func lines(name string) []string { return strings.Split(text(name), "\n") }

func newNoise(rng *rand.Rand) []byte {
	raw := make([]byte, poolSize)
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	return base64.StdEncoding.AppendEncode(nil, raw)
}

// A filler fills samples.
type filler struct {
	rng   *rand.Rand
	words [4][]string // nouns, verbs, adjectives, articles
}

// blocks fills randomly drawn samples until there is enough text.
func (f *filler) blocks(samples []string, between string) []byte {
	out := make([]byte, 0, poolSize+4<<10)
	for len(out) < poolSize {
		out = f.fill(out, pick(f.rng, samples))
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

// place returns the index of the next placeholder, or -1 if there is none.
func place(sample string) int {
	for i := 0; i+5 <= len(sample); i++ {
		if sample[i] == '<' && sample[i+1] == '<' && sample[i+2] != '<' && sample[i+3] == '>' && sample[i+4] == '>' {
			return i
		}
	}
	return -1
}

func (f *filler) word(out []byte, place byte) []byte {
	noun := func() string { return pick(f.rng, f.words[0]) }
	switch place {
	case 'n':
		return append(append(out, noun()...), title(noun())...)
	case 'N':
		return append(append(out, title(noun())...), title(noun())...)
	case 's':
		return append(append(append(out, noun()...), '_'), noun()...)
	case 'w', 'W':
		from := len(out)
		out = append(out, pick(f.rng, f.words[3])...)
		for _, w := range []string{
			pick(f.rng, f.words[2]), noun(), pick(f.rng, f.words[1]), pick(f.rng, f.words[3]), noun(),
		} {
			out = append(append(out, ' '), w...)
		}
		if place == 'W' {
			out[from] -= 'a' - 'A'
		}
		return out
	case 'd':
		return strconv.AppendInt(out, int64(1+f.rng.IntN(pick(f.rng, []int{9, 99, 999}))), 10)
	case 'c':
		return append(out, byte('1'+f.rng.IntN(9)))
	case 'h':
		return strconv.AppendInt(out, int64(1<<24+f.rng.IntN(1<<28-1<<24)), 16)
	case 'e':
		return append(out, 0x1b)
	}
	panic("corpusgen: a sample has no such place: " + string(place))
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// cut returns complete lines of about so many bytes from a random place of a text.
func cut(rng *rand.Rand, from []byte, size int) []byte {
	var out []byte
	for size > len(from)/2 { // longer than the text: several pieces of it
		out = append(out, cut(rng, from, len(from)/2)...)
		out = append(out, '\n')
		size -= len(from) / 2
	}
	at := rng.IntN(len(from) - size)
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
