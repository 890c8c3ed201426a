package markup

import "testing"

func TestLink(t *testing.T) {
	for _, good := range []string{
		"http://example.com", "https://example.com/a?b=c#d", "HTTPS://example.com/", "http://[::1]:8080/x",
		"mailto:ann@example.com", "https://example.com/ü", "https://example.com/a%20b",
	} {
		if got := Link(good); got != good {
			t.Errorf("Link(%q) = %q, want it unchanged", good, got)
		}
	}
	for _, bad := range []string{
		"", "#top", "a.go", "/etc/passwd", "//example.com", "http:", "http://", "https:example.com",
		"https:/example.com",
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", " javascript:alert(1)",
		"\x01javascript:alert(1)",
		"data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://example.com/x",
		"view-source:https://example.com",
		"vscode://file/x", "ftp://example.com", "https://user:word@example.com", "https://example.com@evil.example",
		"https://example.com\\@evil.example", "https://exa mple.com", "https://example.com/\u202e",
		"https://example.com/\xff",
		"https://example.com/\"onclick=", "https://example.com:port/", "mailto:", "mailto:ann", "mailto:@example.com",
		"http://:80",
	} {
		if got := Link(bad); got != "" {
			t.Errorf("Link(%q) = %q, want none", bad, got)
		}
	}
}
