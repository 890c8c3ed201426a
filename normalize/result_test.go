package normalize

import "testing"

func TestResultText(t *testing.T) {
	for _, c := range []struct{ wrapped, text, reminder string }{
		{"", "", ""},
		{"as it is\n", "as it is\n", ""},
		{"<tool_use_error>File does not exist.</tool_use_error>", "File does not exist.", ""},
		{"<tool_use_error>One\nTwo</tool_use_error>\n", "One\nTwo", ""},
		{"said <tool_use_error>inside</tool_use_error>", "said <tool_use_error>inside</tool_use_error>", ""},
		{"text\n\n<system-reminder>\nBe careful.\n</system-reminder>\n", "text", "Be careful."},
		{"<tool_use_error>No</tool_use_error>\n<system-reminder>Go on</system-reminder>", "No", "Go on"},
		{"a <system-reminder> in a text</system-reminder> that goes on", "a <system-reminder> in a text</system-reminder> that goes on", ""},
		{"<system-reminder>not closed", "<system-reminder>not closed", ""},
	} {
		if text, reminder := ResultText(c.wrapped); text != c.text || reminder != c.reminder {
			t.Errorf("ResultText(%q) = %q, %q, want %q, %q", c.wrapped, text, reminder, c.text, c.reminder)
		}
	}
}
