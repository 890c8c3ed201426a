package render

import (
	"fmt"
	"testing"

	"viewer/normalize"
)

// TestStepsOfRequests: the records of one answer are one step, also if only the id of the request tells so.
func TestStepsOfRequests(t *testing.T) {
	line := func(n int, request, block string) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"00000000-0000-4000-8000-%012d","requestId":%q,`+
			`"message":{"role":"assistant","content":[%s]}}`, n, request, block)
	}
	c := build([]string{
		`{"type":"user","uuid":"u0","message":{"role":"user","content":"How high is the tide?"}}`,
		line(1, "req_1", `{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"a"}}`),
		line(2, "req_1", `{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"b"}}`),
		line(3, "req_2", `{"type":"tool_use","id":"t3","name":"Read","input":{"file_path":"c"}}`),
	})
	n := stepCount{requests: make(map[string]bool)}
	for _, item := range c.Turns[0].Items {
		n.group(item.(*normalize.Group))
	}
	if len(n.requests) != 2 || n.calls != 3 {
		t.Errorf("got %d steps with %d calls, want 2 with 3", len(n.requests), n.calls)
	}
}
