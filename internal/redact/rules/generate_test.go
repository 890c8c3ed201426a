package rules

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

var gitleaksFolder = flag.String("gitleaks", "",
	"the folder of github.com/zricethezav/gitleaks/v8, to write rules/ from: "+
		"go mod download -json github.com/zricethezav/gitleaks/v8@latest says where it is")

// The parts of most expressions of gitleaks: a name that contains a vendor's name, an operator, the value, and what
// ends it. Our own matcher parses assignments once for all rules (assign.go).
const (
	frameName  = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	frameOp    = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
	frameEnd   = `)(?:[\x60'"\s;]|\\[nr]|$)`
	frameFold  = `(?i)[\w.-]{0,50}?(?:`
	frameExact = `[\w.-]{0,50}?(?i:[\w.-]{0,50}?(?:`
)

// wordsOf are literals for expressions without good ones. A word with a capital letter must match its case, other words
// match any case.
var wordsOf = map[string][]string{
	"azure-ad-client-secret":             {"[0-9]Q~[0-9A-Za-z_~.-]"},
	"twilio-api-key":                     {"SK[0-9a-fA-F][0-9a-fA-F]"},
	"harness-api-key":                    {"pat.", "sat."},
	"authress-service-client-access-key": {".acc_", ".acc-"},
	"facebook-access-token":              {"facebook"},
	"airtable-personnal-access-token":    {"airtable"},

	"sidekiq-sensitive-url":                       {"gems.contribsys.com", "enterprise.contribsys.com"},
	"microsoft-teams-webhook":                     {".webhook.office.com/"},
	"1password-secret-key":                        {"A3-[A-Z0-9]"},
	"huggingface-access-token":                    {"hf_[a-zA-Z]"},
	"sendgrid-api-token":                          {"SG.[a-zA-Z0-9]"},
	"dropbox-long-lived-api-token":                {"dropbox"},
	"sourcegraph-access-token":                    {"sgp_", "sourcegraph"},
	"vault-service-token":                         {"hvs."},
	"aws-access-token":                            {"A3T[A-Z0-9]", "AKIA", "ASIA", "ABIA", "ACCA"},
	"flyio-access-token":                          {"fo1_", "fm1a_", "fm1r_", "fm2_"},
	"slack-app-token":                             {"xapp-"},
	"slack-config-access-token":                   {"xoxe.xox"},
	"slack-config-refresh-token":                  {"xoxe-"},
	"gitlab-runner-authentication-token-routable": {"glrt-t"},
	"jwt-base64":                                  {"ZXlK"},
}

// namesOf are words of names, for vendors whose keywords are words of the value.
var namesOf = map[string][]string{
	"lob":        {"lob[a-z_.=:'\" -]"},
	"gocardless": {"gocardless"},
	"new":        {"new-relic", "newrelic", "new_relic"},
	"typeform":   {"typeform"},
	"atlassian":  {"atlassian", "confluence", "jira"},
}

// spread are the rules whose matches contain white space or quotes. The matches of all others are one run of
// characters.
var spread = map[string]bool{
	"jwt-base64": true,
	// the word is not part of the match
	"facebook-access-token": true, "airtable-personnal-access-token": true, "sourcegraph-access-token": true,
}

// exprOf replaces expressions. covered gives the reasons.
var exprOf = map[string]string{
	// Without the old form s.XXXXXXXXXXXXXXXXXXXXXXXX, which looks like any method of an s. It is found as VAULT_TOKEN.
	"vault-service-token": `\b(hvs\.[\w-]{90,120})(?:[\x60'"\s;]|\\[nr]|$)`,
	// With any text before it, without the text after it, and with dots escaped.
	"azure-ad-client-secret":    `([a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})(?:[^\w~.-]|$)`,
	"sentry-org-token":          `\b(sntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43})(?:[^a-zA-Z0-9+/]|\z)`,
	"slack-config-access-token": `(?i)xoxe\.xox[bp]-\d-[A-Z0-9]{163,166}`,
	"slack-webhook-url":         `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{43,56})`,
}

// TestGenerate writes gitleaks.go, stopwords.txt and all.txt from a copy of gitleaks.
func TestGenerate(t *testing.T) {
	if *gitleaksFolder == "" {
		t.Skip("no -gitleaks folder given")
	}
	var config struct {
		Rules []struct {
			ID         string
			Regex      string
			Entropy    float64
			Keywords   []string
			Allowlists []struct {
				Regexes, StopWords []string
				RegexTarget        string
			}
		}
	}
	if _, err := toml.DecodeFile(filepath.Join(*gitleaksFolder, "config", "gitleaks.toml"), &config); err != nil {
		t.Fatal(err)
	}
	var rules []Rule
	var stop []string
	var all []string
	for _, r := range config.Rules {
		all = append(all, r.ID)
		if r.ID == "generic-api-key" {
			for _, a := range r.Allowlists {
				stop = append(stop, a.StopWords...)
			}
		}
		if covered[r.ID] != "" {
			continue
		}
		d := Rule{ID: r.ID, Entropy: r.Entropy}
		for _, a := range r.Allowlists {
			if a.RegexTarget == "" {
				d.Allow = append(d.Allow, a.Regexes...)
			}
		}
		expr := r.Regex
		if e := exprOf[r.ID]; e != "" {
			expr = e
		}
		if r.ID == "freemius-secret-key" { // PHP: 'secret_key' => 'sk_...'
			rules = append(rules, Rule{ID: r.ID, Words: []string{"secret_key"}, Name: "(?i)secret_key",
				Value: `sk_\S{29}`})
			continue
		}
		if rest, ok := frameOf(&d, expr); ok {
			d.Words = allLower(r.Keywords)
			if words := namesOf[strings.Split(r.ID, "-")[0]]; words != nil {
				d.Words = words
			}
			rules = append(rules, d)
			if rest == "" {
				continue
			}
			d = Rule{ID: r.ID, Entropy: r.Entropy}
			expr = rest
		}
		d.Expr = expr
		if r.ID == "jwt-base64" || r.ID == "microsoft-teams-webhook" { // their groups are only parts of the secret
			d.Group = WholeMatch
		}
		if d.Words = wordsOf[r.ID]; !spread[r.ID] {
			d.Min = shortestMatch(t, expr)
		}
		if d.Words == nil {
			d.Words = literals(t, r.ID, expr)
		}
		rules = append(rules, d)
	}
	slices.SortFunc(rules, func(a, b Rule) int { return strings.Compare(a.ID+a.Expr, b.ID+b.Expr) })
	var out bytes.Buffer
	out.WriteString("package rules\n\n// gitleaks are the rules of gitleaks, written by TestGenerate; see README.md.\n")
	out.WriteString("var gitleaks = []Rule{\n")
	for _, r := range rules {
		out.WriteString("\t{" + literal(r) + "},\n")
	}
	out.WriteString("}\n")
	slices.Sort(stop)
	slices.Sort(all)
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("gitleaks.go", out.Bytes())
	write("stopwords.txt", []byte(strings.Join(slices.Compact(stop), "\n")+"\n"))
	write("all.txt", []byte(strings.Join(all, "\n")+"\n"))
	licence, err := os.ReadFile(filepath.Join(*gitleaksFolder, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	write("LICENSE.gitleaks", licence)
}

// literal returns the fields of a rule in Go.
func literal(r Rule) string {
	var fields []string
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			continue
		}
		text := fmt.Sprintf("%#v", v.Field(i))
		if s := v.Field(i).String(); v.Field(i).Kind() == reflect.String && strconv.CanBackquote(s) {
			text = "`" + s + "`"
		}
		fields = append(fields, v.Type().Field(i).Name+": "+text)
	}
	return strings.Join(fields, ", ")
}

// frameOf sets name and value of a rule whose expression has this structure. rest is an alternative after it.
func frameOf(d *Rule, expr string) (rest string, ok bool) {
	body, fold := strings.CutPrefix(expr, frameFold)
	if !fold {
		if body, ok = strings.CutPrefix(expr, frameExact); !ok {
			return "", false
		}
	}
	mid := frameName
	if !fold {
		mid += ")"
	}
	name, value, ok := strings.Cut(body, ")"+mid+frameOp)
	if !ok {
		return "", false
	}
	value, rest, ok = strings.Cut(value, frameEnd)
	if !ok {
		return "", false
	}
	d.Name, d.Value = "(?i)(?:"+name+")", value
	if fold {
		d.Value = "(?i)" + value
	}
	return strings.TrimPrefix(rest, "|"), true
}

func allLower(words []string) []string {
	low := make([]string, len(words))
	for i, w := range words {
		low[i] = strings.ToLower(w)
	}
	return low
}

// literals returns words of which each match of the expression contains one.
func literals(t *testing.T, id, expr string) []string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	words, score := required(re)
	if score < 4 {
		t.Errorf("%s: no good literal in %s: got %q; add some to wordsOf", id, expr, words)
	}
	return words
}

// required returns the best set of literals of an expression, and its score: the length of the shortest one.
func required(re *syntax.Regexp) ([]string, int) {
	if all, ok := language(re); ok {
		return all, score(all)
	}
	switch re.Op {
	case syntax.OpCapture:
		return required(re.Sub[0])
	case syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpAlternate:
		var all []string
		least := 100
		for _, sub := range re.Sub {
			words, n := required(sub)
			all, least = append(all, words...), min(least, n)
		}
		return all, least
	case syntax.OpConcat:
		var best []string
		run := []string{""}
		for _, sub := range re.Sub {
			if all, ok := language(sub); ok && len(all)*len(run) <= 40 {
				run = product(run, all)
				continue
			}
			if score(run) > score(best) {
				best = run
			}
			run = []string{""}
			if words, n := required(sub); n > score(best) {
				best = words
			}
		}
		if score(run) > score(best) {
			best = run
		}
		return best, score(best)
	}
	return nil, 0
}

// shortestMatch returns the length of the shortest match of an expression.
func shortestMatch(t *testing.T, expr string) int {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	var length func(re *syntax.Regexp) int
	length = func(re *syntax.Regexp) int {
		n := 0
		switch re.Op {
		case syntax.OpLiteral:
			return len(string(re.Rune))
		case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			return 1
		case syntax.OpCapture, syntax.OpPlus:
			return length(re.Sub[0])
		case syntax.OpRepeat:
			return re.Min * length(re.Sub[0])
		case syntax.OpConcat:
			for _, sub := range re.Sub {
				n += length(sub)
			}
		case syntax.OpAlternate:
			n = length(re.Sub[0])
			for _, sub := range re.Sub {
				n = min(n, length(sub))
			}
		}
		return n
	}
	return length(re)
}

func score(words []string) int {
	least := 100
	for _, w := range words {
		least = min(least, len(w))
	}
	if len(words) == 0 {
		return 0
	}
	return least
}

// language returns all texts that an expression matches, if there are few.
func language(re *syntax.Regexp) ([]string, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpBeginText, syntax.OpBeginLine:
		return []string{""}, true
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return []string{strings.ToLower(string(re.Rune))}, true
		}
		return []string{string(re.Rune)}, true
	case syntax.OpCharClass:
		var all []string
		for i := 0; i < len(re.Rune); i += 2 {
			for c := re.Rune[i]; c <= re.Rune[i+1] && len(all) < 12; c++ {
				all = append(all, string(c))
			}
		}
		return all, len(all) < 12
	case syntax.OpCapture:
		return language(re.Sub[0])
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			words, ok := language(sub)
			if !ok || len(words)*len(all) > 40 {
				return nil, false
			}
			all = product(all, words)
		}
		return all, true
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words, ok := language(sub)
			if !ok {
				return nil, false
			}
			all = append(all, words...)
		}
		return all, len(all) <= 40
	}
	return nil, false
}

func product(a, b []string) []string {
	var all []string
	for _, x := range a {
		for _, y := range b {
			all = append(all, x+y)
		}
	}
	return all
}

// gitleaksIDs are the ids of all rules of gitleaks, written by TestGenerate.
//
//go:embed all.txt
var gitleaksIDs string

// covered has the rules of gitleaks that detectors of package redact replace, each with the file of the detector.
var covered = map[string]string{
	"anthropic-admin-api-key": "our rule anthropic-key, for all keys that begin with sk-ant-",
	"anthropic-api-key":       "our rule anthropic-key",

	"curl-auth-header":       "header.go, wherever headers occur",
	"curl-auth-user":         "command_line.go",
	"jwt":                    "jwt.go, whose expression goes back from the middle",
	"kubernetes-secret-yaml": "kubernetes.go",
	"nuget-config-password":  "assignment.go",
	"generic-api-key":        "assignment.go, which knows more names and values; its stop words are used",
	"hashicorp-tf-password":  "assignment.go",
	"pkcs12-file":            "finds files by name and reads none",
	"private-key":            "key_block.go, which also knows keys in JSON, patches and arrays",
}

// TestRulesComplete: every rule of gitleaks is used, or covered gives the reason why not.
func TestRulesComplete(t *testing.T) {
	used := map[string]bool{}
	for _, r := range gitleaks {
		used[r.ID] = true
		for _, expr := range append([]string{r.Expr, r.Name, r.Value}, r.Allow...) {
			if _, err := regexp.Compile(expr); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
	}
	all := strings.Fields(gitleaksIDs)
	if len(all) < 200 {
		t.Fatalf("rules/all.txt lists %d rules: run go test ./internal/redact/rules -run TestGenerate -gitleaks FOLDER", len(all))
	}
	for _, id := range all {
		switch {
		case used[id] && covered[id] != "":
			t.Errorf("%s is used and covered, want only one", id)
		case !used[id] && covered[id] == "":
			t.Errorf("%s is neither used nor covered: generate the rules, or add the reason to covered", id)
		}
	}
	for id := range covered {
		if !slices.Contains(all, id) {
			t.Errorf("covered names %s, which gitleaks no longer has", id)
		}
	}
	fmt.Fprintln(t.Output(), len(all), "rules of gitleaks,", len(covered), "of them covered by our own")
}
