package secretgen

import (
	"encoding/json"
	"html"
	"strings"
)

// A context is a way to write a name with a value. In its text {n} is the name in snake case, {c} in camel case, {P} in
// Pascal case, {N} in capitals, {k} in kebab case, {L} as a label, and {v} is the value.
type context struct {
	name   string
	text   string
	escape func(string) string // of the value; nil if it is written unchanged
	refuse string              // bytes that the value cannot have here
	sure   bool                // the syntax shows that a value follows: quotes, capitals, an option
}

const quotes = "\"'`\\"

// bare are bytes that end an unquoted value in some language.
const bare = quotes + " #;,&|<>(){}[]$!*?~^%@:="

var assignments = []context{
	{"JSON", `{"id": 7, "{n}": "{v}", "retries": 3}`, inJSON, "", true},
	{"JSON, camel case", "{\n  \"{c}\": \"{v}\"\n}", inJSON, "", true},
	{"JSON in JSON", `{"body": "{\"{n}\": \"{v}\"}"}`, twice(inJSON), "", true},
	{"JSON in JSON in JSON", `{"body": "{\"a\": \"{\\\"{n}\\\": \\\"{v}\\\"}\"}"}`, twice(twice(inJSON)), "", true},
	{"YAML, quoted", "db:\n  host: db.local\n  {n}: \"{v}\"\n  port: 5432\n", inJSON, "", true},
	{"an env file", "PORT=80\n{N}={v}\nDEBUG=1\n", nil, quotes + " #;&|<>()$", true},
	{"an env file, quoted", "{N}=\"{v}\"\n", inJSON, "", true},
	{"export", "export {N}='{v}'\n", nil, "'\\", true},
	{"before a command", "{N}={v} make deploy\n", nil, bare, true},
	{"a Dockerfile", "FROM alpine\nENV {N} {v}\nRUN make\n", nil, quotes + " #$", true},
	{"a Dockerfile, ARG", "ARG {N}={v}\n", nil, quotes + " #$", true},
	{"JavaScript", "const {c} = '{v}';\n", nil, "'\\", true},
	{"JavaScript, an object", "connect({\n  host: 'db',\n  {c}: '{v}',\n})\n", nil, "'\\", true},
	{"Python", "{n} = \"{v}\"\n", inJSON, "", true},
	{"Python, an argument", "client = Client(host, {n}=\"{v}\", retries=3)\n", inJSON, "", true},
	{"Python, an index", "config['{n}'] = '{v}'\n", nil, "'\\", true},
	{"Python, SecretStr", "{n} = SecretStr('{v}')\n", nil, "'\\", true},
	{"Go", "\t{c} := \"{v}\"\n", inJSON, "", true},
	{"Go, a field", "\treturn Config{Host: \"db\", {P}: \"{v}\"}\n", inJSON, "", true},
	{"Go, Setenv", "\tos.Setenv(\"{N}\", \"{v}\")\n", inJSON, "", true},
	{"C", "#define DB_{N} \"{v}\"\n", inJSON, "", true},
	{"Java, a builder", "DataSource.builder()\n    .url(u)\n    .{c}(\"{v}\")\n    .build();\n", inJSON, "", true},
	{"Java, a setter", "source.set{P}(\"{v}\");\n", inJSON, "", true},
	{"C#, a connection string", `"Server=db;User Id=app;{P}={v};Timeout=5"` + "\n", nil, quotes + ";", false},
	{"PHP", "'{n}' => '{v}',\n", nil, "'\\", true},
	{"Ruby", "  {n}: '{v}',\n", nil, "'\\", true},
	{"Terraform", "resource \"db\" \"x\" {\n  {n} = \"{v}\"\n}\n", inJSON, "", true},
	{"TOML", "[db]\n{n} = '{v}'\n", nil, "'\\", true},
	{"XML", "<config><{c}>{v}</{c}></config>\n", html.EscapeString, "", true},
	{"XML, an attribute", "<add key=\"{P}\" value=\"{v}\" />\n", html.EscapeString, "", true},
	{"HTML-escaped JSON", `{&quot;{c}&quot;: &quot;{v}&quot;}`, html.EscapeString, "", true},
	{"an option", "deploy --{k} {v} --verbose\n", nil, bare, false},
	{"an option, joined", "deploy --{k}={v} --verbose\n", nil, bare, false},
	{"an array of arguments", `["deploy", "--{k}", "{v}", "--verbose"]`, inJSON, "", true},
	{"a query", "GET https://api.tides.dev/v1/items?{n}={v}&page=2\n", nil, quotes + " #;,&|<>(){}[]$!*?~^%@:=+/", false},
	{"Markdown, bold", "The **{L}**: {v}\n", nil, quotes + " ,;", false},
	{"Markdown, code", "- {L}: `{v}`\n", nil, "`", true},
	{"ANSI", "\x1b[36m{N}\x1b[0m=\x1b[33m{v}\x1b[0m\n", nil, quotes + " #;&|<>()$", true},
	{"ANSI in JSON", `{"line": "\u001b[36m{N}\u001b[0m=\u001b[33m{v}\u001b[0m"}`, nil, quotes + " #;&|<>()$", false},
	{"a header", "X-{P}: {v}\n", nil, quotes + " ,;", false},
	{"SQL", "CREATE USER app IDENTIFIED BY '{v}'; -- {n}\n", nil, "'\\", true},
	{"a pair of name and value", `{"name": "{N}", "value": "{v}"}`, inJSON, "", true},
	{"a diff", "@@ -1,2 +1,2 @@\n-{n}: old\n+{n}: \"{v}\"\n", inJSON, "", true},
	{"numbered lines", "     1→[db]\n     2→{n}='{v}'\n", nil, "'\\", true},

	{"YAML", "db:\n  host: db.local\n  {n}: {v}\n  port: 5432\n", nil, bare, false},
	{"INI", "[db]\nhost = db.local\n{n} = {v}\nport = 5432\n", nil, quotes + " #;", false},
	{"properties", "spring.datasource.{k}={v}\n", nil, quotes + " #", false},
	{"a sentence", "The {n} is {v}, do not lose it.\n", nil, quotes + " ,;.", false},
	{"a log", "connecting user=app {c}={v} host=db\n", nil, quotes + " ,;&", false},
}

// write returns the text with a name and a value, and the value as written there. ok is false if the context cannot
// hold the value.
func (c context) write(n secretName, value string) (text, written string, ok bool) {
	if strings.ContainsAny(value, c.refuse) {
		return "", "", false
	}
	written = value
	if c.escape != nil {
		written = c.escape(value)
	}
	return strings.NewReplacer("{n}", n.snake(), "{c}", n.camel(), "{P}", n.pascal(), "{N}", n.upper(),
		"{k}", n.kebab(),
		"{L}", n.label(), "{v}", written).Replace(c.text), written, true
}

// inJSON returns a string escaped for JSON, without quotes.
func inJSON(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings can always be encoded
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

func twice(f func(string) string) func(string) string {
	return func(s string) string { return inJSON(f(s)) }
}
