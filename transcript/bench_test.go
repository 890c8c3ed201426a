package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// generated is a session of about size bytes in the shape and the mix of a real one.
func generated(size int) []byte {
	var b bytes.Buffer
	output := strings.Repeat("ok  \\tlamp/dimmer\\t0.012s\\n", 60)
	code := strings.Repeat("\\tif level > 3 {\\n\\t\\treturn \\\"too bright\\\"\\n\\t}\\n", 20)
	for i := 0; b.Len() < size; i++ {
		envelope := func(part int) string {
			return fmt.Sprintf(`"parentUuid":"%08x-0000-4000-8000-%012x","isSidechain":false,"userType":"external","cwd":"/w/lamp","sessionId":"5a3c1f7e-90b2-4d61-8e07-2b7f4c6d9a10","version":"2.1.120","gitBranch":"main","uuid":"%08x-0000-4000-8000-%012x","timestamp":"2026-03-01T10:%02d:%02d.000Z"`,
				i, part, i, part+1, i/60%60, i%60)
		}
		usage := `"usage":{"input_tokens":4,"cache_creation_input_tokens":812,"cache_read_input_tokens":40211,"output_tokens":220,"service_tier":"standard"}`
		fmt.Fprintf(&b, `{%s,"type":"user","message":{"role":"user","content":"step %d: make it dimmer"}}`+"\n", envelope(0), i)
		fmt.Fprintf(&b, `{%s,"type":"assistant","requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"claude-x","content":[{"type":"text","text":"I look at it — first the tests."}],"stop_reason":null,%s}}`+"\n", envelope(1), i, i, usage)
		fmt.Fprintf(&b, `{%s,"type":"assistant","requestId":"req_%d","message":{"id":"msg_%d","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"go test ./...","description":"%s"}}],"stop_reason":"tool_use",%s}}`+"\n", envelope(2), i, i, i, code, usage)
		fmt.Fprintf(&b, `{%s,"type":"attachment","attachment":{"type":"hook_success","hookName":"PostToolUse:Bash","toolUseID":"toolu_%d","hookEvent":"PostToolUse","content":"","stdout":"{}","exitCode":0}}`+"\n", envelope(3), i)
		fmt.Fprintf(&b, `{%s,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s","is_error":false}]},"toolUseResult":{"stdout":"%s","stderr":"","interrupted":false}}`+"\n", envelope(4), i, output, output)
		fmt.Fprintf(&b, `{"type":"ai-title","aiTitle":"Dimmer","sessionId":"5a3c1f7e-90b2-4d61-8e07-2b7f4c6d9a10"}`+"\n")
	}
	return b.Bytes()
}

func TestGenerated(t *testing.T) {
	f := Read("a.jsonl", generated(100_000))
	if len(f.Records) < 50 || len(f.Problems) > 0 {
		t.Errorf("%d records, problems %v; want over 50 and none: the benchmark measures nothing", len(f.Records), f.Problems)
	}
}

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"100KB", 100 << 10}, {"20MB", 20 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			data := generated(c.size)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				Read("a.jsonl", data)
			}
		})
	}
	b.Run("2MB lines", func(b *testing.B) {
		line := `{"type":"user","message":{"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("iVBORw0KGgo", 2<<20/11) + `"}}]}}` + "\n"
		data := []byte(strings.Repeat(line, 5))
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			Read("a.jsonl", data)
		}
	})
}
