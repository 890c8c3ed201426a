package normalize

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/corpusgen"
	"viewer/transcript"
)

// TestGrowing builds sessions after each of many appends, and compares what was
// gone on with to what is built from the start.
func TestGrowing(t *testing.T) {
	agents := 0
	for seed := range uint64(8) {
		f := transcript.Read("made.jsonl", corpusgen.Session(seed, 300_000))
		inside := slices.ContainsFunc(f.Records, func(r transcript.Record) bool { return isInside(&r) })
		if inside {
			agents++
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			gone := grow(t, seed, Input{ID: "made", Main: &f}, 1)
			if !inside && gone[0] < gone[1]*2/3 {
				t.Errorf("gone on with %d of %d times, want two thirds", gone[0], gone[1])
			}
		})
	}
	if agents == 0 || agents > 5 {
		t.Errorf("%d of 8 sessions have agents inside, want both sorts", agents)
	}
	for _, root := range corpora {
		t.Run(filepath.Base(root), func(t *testing.T) {
			if _, err := os.Stat(root); err != nil || testing.Short() {
				t.Skip(err)
			}
			all, times := 0, 0
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
				if err == nil && strings.HasSuffix(path, ".jsonl") && !strings.HasPrefix(d.Name(), "journal") {
					data, err := os.ReadFile(path)
					if err != nil {
						return err
					}
					f := transcript.Read("session.jsonl", data)
					gone := grow(t, uint64(len(data)), Input{ID: "session", Main: &f}, 1+len(f.Records)/12)
					all, times = all+gone[1], times+gone[0]
					if t.Failed() {
						return fmt.Errorf("%s", path)
					}
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			t.Logf("gone on with %d of %d times", times, all)
		})
	}
}

// grow builds a session of more and more of its records: up to so many at once,
// and gives how often it was gone on with, and how often it was built.
func grow(t *testing.T, seed uint64, in Input, most int) (gone [2]int) {
	t.Helper()
	dice := rand.New(rand.NewPCG(seed, 5))
	whole := *in.Main
	var g Growing
	var before []string
	problems := whole.Problems
	for n := 0; n < len(whole.Records) && !t.Failed(); {
		n = min(n+1+dice.IntN(most), len(whole.Records))
		part := whole
		part.Records = whole.Records[:n:n]
		part.Problems = slices.DeleteFunc(slices.Clone(problems), func(p transcript.Problem) bool {
			return n < len(whole.Records) && p.Pos.Offset >= whole.Records[n].Pos.Offset
		})
		in.Main = &part
		want, got := Build(in), g.Build(in)
		wanted, all := dump(want), dump(got)
		if wanted != all {
			t.Errorf("after %d records: %s", n, differ(all, wanted))
			return gone
		}
		gone[1]++
		turns := make([]string, len(got.Turns))
		for i, turn := range got.Turns {
			turns[i] = dumpTurn(got, turn)
		}
		if got.Grown.Times > 0 {
			gone[0]++
			for i := range got.Grown.Turns {
				if turns[i] != before[i] {
					t.Errorf("after %d records: turn %d of %d is not the same: %s", n, i, len(turns), differ(turns[i], before[i]))
				}
			}
		}
		before = turns
	}
	return gone
}

// dumpTurn is all that belongs to a turn.
func dumpTurn(c *Conversation, turn *Turn) string {
	d := dumper{seen: make(map[any]int)}
	d.value(reflect.ValueOf(turn))
	for _, m := range turn.Messages {
		fmt.Fprintln(&d.b, c.Sent.Fates[m])
	}
	return d.b.String()
}

func differ(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-3)
			return fmt.Sprintf("line %d\n%s\nwant\n%s", i, strings.Join(a[from:i+1], "\n"), strings.Join(b[from:i+1], "\n"))
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

func dump(c *Conversation) string {
	d := dumper{seen: make(map[any]int)}
	d.value(reflect.ValueOf(c))
	return d.b.String()
}

// A dumper writes all fields of a conversation. What is met again is a number.
type dumper struct {
	b    strings.Builder
	seen map[any]int
}

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			d.b.WriteString("nil\n")
			return
		}
		if v.Type() == reflect.TypeFor[*transcript.Record]() {
			fmt.Fprintln(&d.b, "record", v.Elem().FieldByName("Pos").FieldByName("Offset").Int())
			return
		}
		if v.Type() != reflect.TypeFor[*transcript.Block]() {
			key := [2]any{v.Pointer(), v.Type()}
			if n, met := d.seen[key]; met {
				fmt.Fprintf(&d.b, "#%d\n", n)
				return
			}
			d.seen[key] = len(d.seen)
		}
		d.value(v.Elem())
	case reflect.Interface:
		d.value(v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			fmt.Fprintln(&d.b, v.Field(0).Uint(), v.Field(1).Int())
			return
		}
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Grown" && name != "Raw" {
				d.b.WriteString(name + " ")
				d.value(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprintf(&d.b, "%d bytes\n", v.Len())
			return
		}
		fmt.Fprintf(&d.b, "%s of %d\n", v.Type(), v.Len())
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map: // of texts, or of messages, all of which have been met
		keys := v.MapKeys()
		if v.Type().Key().Kind() == reflect.String {
			slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
			for _, k := range keys {
				d.value(k)
				d.value(v.MapIndex(k))
			}
			return
		}
		number := func(k reflect.Value) int { return d.seen[[2]any{k.Pointer(), k.Type()}] }
		slices.SortFunc(keys, func(a, b reflect.Value) int { return number(a) - number(b) })
		for _, k := range keys {
			fmt.Fprintf(&d.b, "#%d: ", number(k))
			d.value(v.MapIndex(k))
		}
	case reflect.String:
		text := v.String()
		fmt.Fprintf(&d.b, "%d %.40q\n", len(text), text)
	case reflect.Bool:
		fmt.Fprintln(&d.b, v.Bool())
	case reflect.Float64:
		fmt.Fprintln(&d.b, v.Float())
	default:
		if v.CanInt() {
			fmt.Fprintln(&d.b, v.Int())
		} else {
			fmt.Fprintln(&d.b, v.Uint())
		}
	}
}
