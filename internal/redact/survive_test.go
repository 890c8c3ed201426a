package redact

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"viewer/internal/redact/rules"
	"viewer/internal/testing/corpus"
)

// places are places of a secret with a recognizable form; %s is the secret.
var places = []string{
	"%s",
	"the token is %s, says the log",
	"(%s)",
	"see `%s`.",
	"curl https://api.test.dev -d '%s'\n",
	"export KEY=%s\n",
	"{\"key\": \"%s\"}",
	"line one\n%s\nline three",
	"+\tkey := \"%s\"\n",
	"<b>%s</b>",
	"    12→%s",
	"one\\n%s\\nthree", // JSON inside a string
	"[%s](x)",
	"**%s**",
	"%s;",
	"--key=%s --verbose",
}

// names are forms of names that contain a vendor's name; %s is the vendor.
var names = []string{"%s_KEY", "%sToken", "%s-secret", "%s.api.key", "my_%s", "x-%s-token"}

// assignments are ways to assign a value to a name, which comes first.
var assignments = []string{
	"%s=%s\n",
	"export %s=%s",
	"%s: %s\n",
	"const %s = \"%s\";",
	"\"%s\": \"%s\",",
	"{\\\"%s\\\":\\\"%s\\\"}",
	"os.Setenv(\"%s\", \"%s\")",
	"'%s' => '%s'",
	"<%s>%s</x>",
	"%s := `%s`",
	"   3→%s=\"%s\"",
	"var %s string = \"%s\"",
}

// secretsOf generates random secrets that a rule finds.
func secretsOf(t *testing.T, r *rule, n int) []string {
	rng := rand.New(rand.NewPCG(uint64(len(r.id)), uint64(r.id[0])))
	expr := r.data.Value
	if r.data.Expr != "" {
		expr = bare.ReplaceAllString(r.data.Expr, "")
	}
	var all []string
	for range 200 {
		if len(all) == n {
			break
		}
		secret := matchOf(t, rng, expr)
		if found := r.expr().FindStringSubmatch(secret + " "); r.data.Expr != "" {
			if found == nil || found[0] != secret && found[0] != secret+" " {
				continue
			}
		}
		s := &scan{}
		if s.passes(r, []byte(secret)) {
			all = append(all, secret)
		}
	}
	return all
}

// bare matches what surrounds the secret in gitleaks' expressions.
var bare = regexp.MustCompile(regexp.QuoteMeta(`(?:[\x60'"\s;]|\\[nr]|$)`) + "|" +
	regexp.QuoteMeta(`(?:^|[\\'"\x60\s>=:(,)])`) + "|" +
	regexp.QuoteMeta(`(?:$|[\\'"\x60\s<),])`) + "|" + regexp.QuoteMeta(`(?:[^\w-]|\z)`) + "|" +
	regexp.QuoteMeta(`(?:[^a-zA-Z0-9+/]|\z)`))

// hidden are rules that need the lines around a secret. text_test.go has their tests.
var hidden = map[string]bool{
	"freemius-secret-key":             true,
	"airtable-personnal-access-token": true, "facebook-access-token": true, "sourcegraph-access-token": true,
	"discord-bot-token": true, "ngrok-token": true,
	"slack-webhook-url": true, "discord-webhook-url": true, "aws-signature": true, "azure-signature": true,
	"google-signature":                       true,
	"aws-amazon-bedrock-api-key-short-lived": true, // it matches the constant start of a key
	// in most places other rules name live_ and test_
	"lob-api-key": true, "lob-pub-api-key": true,
}

// TestNothingSurvives: of secrets generated for each rule, none is left in any place. make test generates three for
// each rule.
func TestNothingSurvives(t *testing.T) {
	redactor, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	tried, tested, each := 0, 0, 1
	if corpus.Full() {
		each = 3
	}
	check := func(r *rule, secret, text string) {
		t.Helper()
		tried++
		if got := redactor.Session().Text(text); strings.Contains(got, secret) {
			t.Errorf("%s is left\nin  %q\ngot %q", r.id, text, got)
		}
		raw, err := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"content": []any{text}}})
		if err != nil {
			t.Fatal(err)
		}
		quoted, _ := json.Marshal(secret)
		if got := redactor.Session().JSON(raw); strings.Contains(string(got), strings.Trim(string(quoted), `"`)) {
			t.Errorf("%s is left\nin  %s\ngot %s", r.id, raw, got)
		}
	}
	for _, d := range rules.All() {
		r := newRule(d)
		if hidden[r.id] {
			continue
		}
		secrets := secretsOf(t, r, each)
		if len(secrets) == 0 {
			t.Errorf("%s: no secret could be generated", r.id)
		}
		tested++
		for i, secret := range secrets {
			if d.Expr != "" {
				for _, place := range places {
					check(r, secret, fmt.Sprintf(place, secret))
				}
				continue
			}
			if strings.ContainsAny(secret, " ") {
				continue
			}
			if strings.Contains(secret, "\\") {
				continue
			}
			vendor := strings.Trim(strings.Trim(d.Words[0], "=:"), "\"'")
			if r.name().FindString(vendor) == "" { // such as snyk[_.-]?key
				vendor += "_token"
			}
			if strings.ContainsAny(vendor, "[") {
				continue
			}
			for j, name := range names {
				if isSum([]byte(secret)) && !strings.Contains(strings.ToLower(name), "key") &&
					!strings.Contains(name, "ecret") && !strings.Contains(name, "oken") {
					continue // it may be a commit
				}
				for _, assign := range assignments {
					check(r, secret, fmt.Sprintf(assign, fmt.Sprintf(name, vendor), secret))
				}
				if i+j > 3 {
					break
				}
			}
		}
	}
	t.Logf("%d places tried, for %d rules; %d texts, %d records, %d hostile texts elsewhere", tried, tested, len(texts),
		len(records), len(hostile))
	if tried < 5000*each/3 {
		t.Errorf("%d places were tested, want more: secrets were not generated", tried)
	}
}
