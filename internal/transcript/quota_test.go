package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// crowds are files with so many small values that some exceed the quota.
func crowds() map[string]string {
	const n = 5 * freeValues
	return map[string]string{
		"lines":  strings.Repeat(`{"type":"x"}`+"\n", n),
		"broken": strings.Repeat("{\"\n", n),
		"words":  strings.Repeat("word\n", n),
		"glued":  strings.Repeat(`{"type":"x"}`, n) + "\n",
		"array":  "[" + strings.Repeat(`{"type":"x"},`, n-1) + `{"type":"x"}]`,
		"fields": strings.Repeat(`{"type":1}`+"\n", n),
	}
}

func TestQuota(t *testing.T) {
	for name, data := range crowds() {
		t.Run(name, func(t *testing.T) {
			f := Read("a.jsonl", []byte(data))
			if got, want := f.Values(), 5*freeValues; got != want {
				t.Errorf("got %d values, want %d", got, want)
			}
			if most := freeValues + len(data)/minValue + 1; len(f.Records) > most || len(f.Problems) > most {
				t.Errorf("got %d records and %d problems, want at most %d", len(f.Records), len(f.Problems), most)
			}
			last := f.Problems[len(f.Problems)-1]
			want := fmt.Sprintf("%d values up to line %d are not read: they are too many and too small for a session",
				1+last.Others, 1+strings.Count(strings.TrimSpace(data), "\n"))
			if last.Text != want || !last.Lost {
				t.Errorf("the last problem is %q, want %q", last.Text, want)
			}
		})
	}
}

// TestQuotaCountsValues: a record counts as several small values, depending on its parts.
func TestQuotaCountsValues(t *testing.T) {
	for line, counts := range map[string]int{
		`{"type":"user","message":{"content":"x"}}`:                          4,
		`{"type":"user","message":"x"}`:                                      4,
		`{"type":"user","message":{"content":[{"type":"text","text":"x"}]}}`: 4,
		`{"type":"attachment","attachment":{"type":"hook_success"}}`:         4,
		`{"type":"system","subtype":"x"}`:                                    2,
		`{"type":"progress","data":{}}`:                                      1,
		`{"type":"stream_event","event":{"type":"content_block_delta"}}`:     1,
	} {
		data := strings.Repeat(line+"\n", 3*freeValues)
		f := Read("a.jsonl", []byte(data))
		if n, want := counts*len(f.Records), freeValues+len(data)/minValue; n < want-2*counts || n > want+2*counts {
			t.Errorf("%s: got %d records, want one for each %d of %d", line, len(f.Records), counts, want)
		}
	}
}

// TestQuotaOfLargeRecords: large records are always read, wherever they are.
func TestQuotaOfLargeRecords(t *testing.T) {
	crowd := crowds()["lines"]
	large := fmt.Sprintf(`{"type":"user","uuid":"u","message":{"role":"user","content":"%s"}}`,
		strings.Repeat("x", (1+valuesPerBlock)*minValue))
	f := Read("a.jsonl", []byte(crowd+large+"\n"+crowd+large+"\n"))
	if n := strings.Count(fmt.Sprint(uuids(f)), "u"); n != 2 {
		t.Errorf("got %d large records, want 2", n)
	}
}

func uuids(f File) (all []string) {
	for _, r := range f.Records {
		all = append(all, r.UUID)
	}
	return all
}

func TestQuotaOfBlocks(t *testing.T) {
	block := `{"type":"text","text":"y"}`
	large := `{"type":"text","text":"` + strings.Repeat("z", valuesPerBlock*minValue) + `"}`
	f := Read("a.jsonl",
		[]byte(`{"type":"user","message":{"content":[`+strings.Repeat(block+",", 5*freeValues)+large+"]}}\n"))
	if len(f.Records) != 1 || len(f.Problems) != 1 {
		t.Fatalf("got %d records and problems %v, want one of each", len(f.Records), f.Problems)
	}
	content := f.Records[0].Message.Content
	want := fmt.Sprintf("message.content: %d more blocks are not read: they are too many and too small for a message",
		5*freeValues+1-len(content))
	if got := f.Problems[0].Text; got != want || f.Problems[0].Lost {
		t.Errorf("the problem is %q, want %q", got, want)
	}
	if most := (freeValues+len(f.Records[0].Raw)/minValue)/valuesPerBlock + 1; len(content) > most ||
		content[len(content)-1].Raw.String() != large {
		t.Errorf("got %d blocks, the last is %.40s, want at most %d and the large one", len(content),
			content[len(content)-1].Raw, most)
	}
}

func TestQuotaOfGrowingFile(t *testing.T) {
	data := crowds()["lines"] + crowds()["broken"]
	g := Options{}.NewReader("a.jsonl")
	for rest := data; rest != ""; rest = rest[min(9973, len(rest)):] {
		if _, err := g.ReadRest(strings.NewReader(rest[:min(9973, len(rest))]), int64(len(data))); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(Read("a.jsonl", []byte(data)), g.File()); diff != "" {
		t.Errorf("reading a growing file differs from reading it at once (-want +got):\n%s", diff)
	}
}

func TestMostProblems(t *testing.T) {
	const n = 3 * maxProblems
	wide := strings.Repeat(" ", 2*minValue) // a record of this size counts as two
	f := Read("a.jsonl", []byte(strings.Repeat(`{"type":1}`+wide+"\n", n)+strings.Repeat("no"+wide+"record\n", n)))
	if len(f.Records) != n || f.Values() != 2*n {
		t.Errorf("got %d records of %d values, want %d of %d", len(f.Records), f.Values(), n, 2*n)
	}
	if len(f.Problems) > maxProblems+2 {
		t.Errorf("got %d problems, want at most %d", len(f.Problems), maxProblems+2)
	}
}

// TestOneMoreProblem: a single problem that is not listed is in the singular.
func TestOneMoreProblem(t *testing.T) {
	for n, want := range map[int]string{1: "1 more problem up to", 2: "2 more problems up to"} {
		f := Read("a.jsonl", []byte(strings.Repeat("no record\n", maxProblems+n)))
		if last := f.Problems[len(f.Problems)-1]; !strings.HasPrefix(last.Text, want) {
			t.Errorf("got %q, want %q", last.Text, want)
		}
	}
}

// TestLongNames: very long names and ids are cut, texts are not.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", longestName)
	f := Read("a.jsonl",
		[]byte(`{"type":"assistant","uuid":"`+long+`","message":{"model":"`+long+`","content":[{"type":"text","text":"`+
			long+`"},{"type":"tool_use","id":"t","name":"`+long+`","input":{}}]}}`+"\n"))
	r := f.Records[0]
	name, text := r.Message.Content[1].Name, r.Message.Content[0].Text
	for _, cut := range []string{r.UUID, r.Message.Model, name} {
		if want := long[:longestName] + "…"; cut != want {
			t.Errorf("a name has %d bytes, want %d", len(cut), len(want))
		}
	}
	if text != long {
		t.Errorf("a text has %d bytes, want %d", len(text), len(long))
	}
	var told []string
	for _, p := range f.Problems {
		told = append(told, p.Text)
	}
	want := []string{
		"uuid: 16384 bytes are kept of 32768", "message.model: 16384 bytes are kept of 32768",
		"message.content[1].name: 16384 bytes are kept of 32768",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
