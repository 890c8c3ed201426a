package outcome

import (
	"cmp"
	"strings"

	"viewer/internal/transcript"
	"viewer/internal/words"
)

// failedResult reports whether the record that ends a run says that it failed.
func failedResult(r *transcript.Record) bool {
	return strings.HasPrefix(r.Subtype, "error") || transcript.Kind(transcript.Field(r.Raw, "is_error")) == 't'
}

// Aborted reports whether the record that ends a run says that somebody stopped it.
func Aborted(r *transcript.Record) bool {
	return strings.HasPrefix(terminalReason(r), "aborted_") ||
		r.Subtype == stoppedByError && lastError(r) == "Error: Request was aborted."
}

// terminalReason returns why a run ended, in the terms of the program; "" if unknown.
func terminalReason(r *transcript.Record) string {
	return transcript.String(transcript.Field(r.Raw, "terminal_reason"))
}

// EndReason returns in words why a run failed, given the record that ends it; "" if its subtype names no failure.
func EndReason(r *transcript.Record) string {
	if r.Subtype == stoppedByError {
		reason := cmp.Or(lastError(r), resultReasons[terminalReason(r)], resultReasons[stoppedByError])
		return words.Line(reason, maxAsked)
	}
	if reason := resultReasons[r.Subtype]; reason != "" {
		return reason
	}
	reason, ok := strings.CutPrefix(r.Subtype, "error_")
	if !ok {
		return ""
	}
	return words.Line(strings.ReplaceAll(reason, "_", " "), maxHeading)
}

// lastError returns the first line of the last error of a run, "" for none. Texts that only describe the state of the
// program are left out: "[ede_diagnostic] result_type=user ...".
func lastError(r *transcript.Record) (last string) {
	for e := range transcript.Elements(transcript.Field(r.Raw, "errors")) {
		line, _, _ := strings.Cut(strings.TrimSpace(transcript.TextOf(e)), "\n")
		if line != "" && !strings.HasPrefix(line, "[ede_diagnostic]") {
			last = line
		}
	}
	return last
}

const stoppedByError = "error_during_execution"

var resultReasons = map[string]string{
	"error_max_turns":                     "the limit of turns was reached",
	stoppedByError:                        "an error stopped it",
	"prompt_too_long":                     "the context is full", // a terminal reason
	"error_max_budget_usd":                "the budget was used up",
	"error_max_structured_output_retries": "no valid structured output came",

	"error_exit_cost":      "the limit of cost or requests was reached", // of SWE-agent
	"error_exit_context":   "the context is full",
	"error_exit_format":    "the model did not answer in the required format",
	"error_exit_api":       "the last request failed",
	"error_LimitsExceeded": "the limit of cost or requests was reached",
}

func resultWords(r *transcript.Record) string {
	if reason := EndReason(r); reason != "" {
		return reason
	}
	return words.Line(transcript.String(transcript.Field(r.Raw, "result")), maxAsked)
}
