package corpusgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

const (
	session = "5e5510a7-1009-4a2b-8c3d-00000000f00d"
	folder  = "/home/mara/lanternmap"
	model   = "claude-sonnet-4-5-20250929"
)

// Long is a session of so many turns: a prompt, then calls with their results, then prose. 50 turns are 1.3 MB;
// one turn in nine is long. A longer session starts with the bytes of a shorter one, as if it had been appended to.
func Long(turns int) []byte {
	w := writer{
		dice: rand.New(rand.NewPCG(1009, 7)),
		now:  time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC),
		tail: fields{{"userType", "external"}, {"entrypoint", "cli"}, {"cwd", folder}, {"sessionId", session}, {"version", "2.1.210"}, {"gitBranch", "main"}},
	}
	for n := range turns {
		w.turn(n)
	}
	return []byte(w.out.String())
}

func (w *writer) turn(n int) {
	w.wait(40 * time.Second)
	topic := w.pick(topics)
	w.prompt(fmt.Sprintf(w.pick(prompts), topic) + w.extra(n))

	w.begin()
	w.think(w.prose(2))
	w.text(fmt.Sprintf(w.pick(openings), topic))
	steps := 2 + w.dice.IntN(3)
	if n%9 == 4 {
		steps += 12 // one long turn in nine
	}
	for step := range steps {
		w.step(topic, step)
		w.begin()
	}
	w.block("end_turn", fields{{"type", "text"}, {"text", w.answer(topic, n)}})
	w.duration()
}

// step is a call with its result; now and then two that run side by side.
func (w *writer) step(topic string, step int) {
	file := fmt.Sprintf("%s/%s/%s.go", folder, strings.ReplaceAll(topic, " ", ""), w.pick(files))
	if step == 0 {
		w.text(w.prose(1))
		source := w.source(topic, 20+w.dice.IntN(40))
		read := w.call("Read", fields{{"file_path", file}})
		list := w.call("Bash", fields{{"command", "git log --oneline -5 -- " + file}, {"description", "Last changes of the file"}})
		w.result(read, numbered(source), false, fields{{"type", "text"}, {"file", fields{
			{"filePath", file}, {"content", strings.Join(source, "\n")}, {"numLines", len(source)}, {"startLine", 1}, {"totalLines", len(source)},
		}}})
		w.result(list, w.log(5), false, stdout(w.log(5)))
		return
	}
	switch w.dice.IntN(4) {
	case 0:
		source := w.source(topic, 8)
		changed := append([]string{}, source...)
		changed[4] = "\treturn " + w.pick(files) + "(ctx, lamps) // " + w.prose(1)
		lines := []string{" " + source[3], "-" + source[4], "+" + changed[4], " " + source[5]}
		edit := w.call("Edit", fields{{"file_path", file}, {"old_string", source[4]}, {"new_string", changed[4]}, {"replace_all", false}})
		w.result(edit, "The file "+file+" has been updated successfully.", false, fields{
			{"filePath", file}, {"oldString", source[4]}, {"newString", changed[4]}, {"originalFile", nil},
			{"structuredPatch", []any{fields{{"oldStart", 12}, {"oldLines", 3}, {"newStart", 12}, {"newLines", 3}, {"lines", lines}}}},
			{"userModified", false}, {"replaceAll", false},
		})
		w.hook(edit)
	case 1:
		out := fmt.Sprintf("--- FAIL: Test%s (0.00s)\n    %s_test.go:%d: got %d lamps, want %d\nFAIL\nFAIL\texample.org/lanternmap\t0.1s",
			strings.ReplaceAll(topic, " ", ""), w.pick(files), 10+w.dice.IntN(90), w.dice.IntN(50), 50+w.dice.IntN(50))
		test := w.call("Bash", fields{{"command", "go test ./..."}, {"description", "Run the tests"}})
		w.result(test, "Exit code 1\n"+out, true, "Error: Exit code 1\n"+out)
	default:
		var out strings.Builder
		for range 5 + w.dice.IntN(60) {
			fmt.Fprintf(&out, "\x1b[32m✓\x1b[0m %-24s %5.1f lx  %s\n", w.pick(streets), float64(w.dice.IntN(900))/10, w.pick(files))
		}
		text := strings.TrimSuffix(out.String(), "\n")
		bash := w.call("Bash", fields{{"command", "lanternmap measure --all --street '" + w.pick(streets) + "'"}, {"description", "Measure the lamps"}})
		w.result(bash, text, false, stdout(text))
	}
}

func stdout(text string) fields {
	return fields{{"stdout", text}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}, {"noOutputExpected", false}}
}

func numbered(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%d\t%s\n", i+1, line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
