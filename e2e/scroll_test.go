package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// TestScroll scrolls through a page of 400 KB with 300 calls and logs the cost. It has no limits for time, because
// machines differ.
func TestScroll(t *testing.T) {
	from := filepath.Join(work, "calls", "-home-mara-lanternmap")
	if err := os.MkdirAll(from, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "0f3c2b1a-7d5e-4c4b-9a8f-112233445566.jsonl"), manyCalls(310),
		0o644); err != nil {
		t.Fatal(err)
	}
	root, err := build("callsite", filepath.Dir(from))
	if err != nil {
		t.Fatal(err)
	}
	name := sessionPages(t, root, 1)[0]
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"as it comes", "with everything open"} {
		tb := openTab(t, root, withScript)
		tb.view(t, 1280, "light")
		tb.load(t, name)
		if state != "as it comes" {
			eval[chromedp.Void](t, tb, openAll)
		}
		before := cpuTime(t, tb)
		tasks := evalPromise[[]float64](t, tb, scrollThrough)
		calls := eval[int](t, tb, `document.querySelectorAll(".tool").length`)
		t.Logf("%s: a page of %d KB with %d calls: %.0f frames, each %.1f ms of work, the longest after %.0f ms; tasks over 50 ms: %.0f",
			state, info.Size()>>10, calls, tasks[0], (cpuTime(t, tb)-before)*1000/tasks[0], tasks[1], tasks[2:])
		if calls < 300 {
			t.Errorf("the page has %d calls, want 300", calls)
		}
		if y := eval[float64](t, tb, `scrollY + innerHeight - document.documentElement.scrollHeight`); y < -2 {
			t.Errorf("scrolling stops %.0f px before the end", -y)
		}
		report(t, name, tb.takeFindings())
	}
}

// scrollThrough scrolls down a page by 300 px in each frame. It returns the number of frames, the longest frame, and
// all tasks over 50 ms.
const scrollThrough = `new Promise((done) => {
	const tasks = [];
	const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)));
	observer.observe({ type: "longtask" });
	let frames = 0, longest = 0, last = performance.now();
	const next = (now) => {
		longest = Math.max(longest, now - last);
		last = now;
		frames++;
		const y = scrollY;
		scrollBy({ top: 300, behavior: "instant" });
		if (scrollY > y) requestAnimationFrame(next);
		else setTimeout(() => done([frames, longest, ...tasks]), 100);
	};
	requestAnimationFrame(next);
})`

// cpuTime returns the CPU time of the page's thread in seconds, without time in which it waited for others.
func cpuTime(t testing.TB, tb *tab) float64 {
	t.Helper()
	seconds := -1.0
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, performance.Enable, performance.EnableParams{
			TimeDomain: performance.EnableTimeDomainThreadTicks,
		}); err != nil {
			return err
		}
		result, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		for _, m := range result.Metrics {
			if m.Name == "TaskDuration" {
				seconds = m.Value
			}
		}
		return err
	}))
	return seconds
}

// manyCalls returns a session of one prompt and n calls, of a kind that is not grouped into one row.
func manyCalls(n int) []byte {
	var b strings.Builder
	at, parent := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), any(nil)
	line := func(typ string, message map[string]any) {
		at = at.Add(2 * time.Second)
		id := fmt.Sprintf("%08x-1111-4222-8333-%012x", at.Unix(), at.Unix())
		data, err := json.Marshal(map[string]any{
			"type": typ, "uuid": id, "parentUuid": parent, "sessionId": "0f3c2b1a-7d5e-4c4b-9a8f-112233445566",
			"cwd":     "/home/mara/lanternmap",
			"version": "2.1.210", "timestamp": at.Format(time.RFC3339), "message": message,
		})
		if err != nil {
			panic(err) // strings and maps can always be encoded
		}
		b.Write(data)
		b.WriteByte('\n')
		parent = id
	}
	line("user", map[string]any{"role": "user", "content": "Measure all the lamps."})
	for i := range n {
		id := fmt.Sprintf("toolu_%03d", i)
		call := map[string]any{
			"type": "tool_use", "id": id, "name": "Read", "input": map[string]any{
				"file_path": fmt.Sprintf("/home/mara/lanternmap/lamps/%d.go", i),
			},
		}
		if i%3 == 0 {
			call["name"], call["input"] = "Bash", map[string]any{
				"command": fmt.Sprintf("lanternmap measure --lamp %d", i),
			}
		}
		line("assistant", map[string]any{
			"id": fmt.Sprintf("msg_%03d", i), "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
			"content": []any{call},
		})
		output := "1\tfunc lux() []int {"
		for n := 2; n < 9; n++ { // a page with little text and many elements
			output += fmt.Sprintf("\n%d\t1, 2, 3, 4, 5, 6,", n)
		}
		line("user", map[string]any{
			"role": "user", "content": []any{
				map[string]any{"type": "tool_result", "tool_use_id": id, "content": output},
			},
		})
	}
	return []byte(b.String())
}
