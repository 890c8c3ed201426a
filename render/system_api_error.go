package render

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

var _ = register(systems, "api_error", "api_error", viewAPIError)

type apiError struct {
	line
	Details []*output
}

// viewAPIError draws a failed request that was retried. Its error has many shapes: empty in old versions, by gateway
// later.
func viewAPIError(e event) (apiError, error) {
	var in struct {
		Error, Cause                        jsontext.Value
		RetryInMs, RetryAttempt, MaxRetries number
	}
	if err := e.decode(&in); err != nil {
		return apiError{}, err
	}
	v := apiError{line: line{Text: "API error", Look: "rule", Level: atTools}}
	if s := errorStatus(in.Error); s != "" {
		v.Text += " " + s
	}
	if in.RetryAttempt > 0 {
		v.Text += dot + "retry " + count(int(in.RetryAttempt))
		if in.MaxRetries > 0 {
			v.Text += " of " + count(int(in.MaxRetries))
		}
	}
	if in.RetryInMs > 0 {
		v.Text += " after " + millis(float64(in.RetryInMs))
	}
	if s := errorMessage(in.Error); s != "" {
		v.Text += dot + oneLine(s, 100)
	}
	for _, raw := range []jsontext.Value{in.Error, in.Cause} {
		switch transcript.Kind(raw) {
		case '"':
			v.Details = append(v.Details, e.d.plain(transcript.String(raw)))
		case '{', '[':
			if len(raw) > len("{}") {
				v.Details = append(v.Details, e.d.code(transcript.Pretty(raw), "json"))
			}
		}
	}
	return v, nil
}

func errorStatus(v jsontext.Value) string {
	for _, name := range []string{"status", "statusCode", "code"} {
		if s := transcript.TextOf(transcript.Field(v, name)); s != "" && len(s) < 30 {
			return s
		}
	}
	return ""
}

// errorMessage finds the message of an error, however deeply it is wrapped.
func errorMessage(v jsontext.Value) string {
	for range 4 {
		if s := transcript.String(v); s != "" {
			return s
		}
		for _, name := range []string{"formatted", "message"} {
			if s := transcript.String(transcript.Field(v, name)); s != "" {
				return s
			}
		}
		v = transcript.Field(v, "error")
	}
	return ""
}
