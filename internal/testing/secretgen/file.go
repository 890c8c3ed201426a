package secretgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A secretFile is a type of file for secrets: its names and its contents. {a}, {b} and so on are values without a name
// that marks them as secrets; {t} is two words and a number, separated by spaces, and {h} is a password hash.
type secretFile struct {
	kind  string
	names []string
	text  string
	data  bool // its lines cannot be recognized without its name, so they are not in outputs of grep or in pastes
}

var secretFiles = []secretFile{
	{"env", []string{".env", ".env.local", ".env.production", "deploy/prod.env", ".dev.vars", ".flaskenv", ".envrc"},
		"# the shop\nSHOP_ID={a}\nDEBUG=true\nmailer_from={b}\nexport REGION_CODE='{c}'\nGREETING=\"{t}\"\nAPI_SECRET={d}\n", false},
	{"env, many lines", []string{".env", ".env.staging"}, "A=1\nBLOB=\"{a}\n{b}\n{c}\"\nLAST={d}\n", true},
	{"npmrc", []string{".npmrc"}, "registry=https://npm.tides.dev/\n//npm.tides.dev/:_auth={a}\nemail_hint={b}\n", false},
	{"pypirc", []string{".pypirc"}, "[pypi]\nusername = __token__\npasscode = {a}\n[private]\nuser = {b}\n", false},
	{"s3cfg", []string{".s3cfg"}, "[default]\nalias = {a}\nhost_bucket = {b}\n", false},
	{"tfvars", []string{"terraform.tfvars", "prod.auto.tfvars"}, "region   = \"{a}\"\nadmin    = \"{t}\"\nzones    = [\"{b}\", \"{c}\"]\n", false},
	{"aws", []string{".aws/credentials"}, "[default]\nrole_alias = {a}\nmfa = {b}\n", false},
	{"netrc", []string{".netrc"}, "machine git.tides.dev\nlogin app\npassword {a}\n", true},
	{"pgpass", []string{".pgpass"}, "db.tides.dev:5432:shop:app:{a}\n*:*:*:ops:{b}\n", true},
	{"git-credentials", []string{".git-credentials"}, "https://app:{a}@git.tides.dev\n", true},
	{"htpasswd", []string{".htpasswd"}, "app:{h}\nops:{h2}\n", true},
	{"shadow", []string{"/etc/shadow"}, "daemon:*:19000:0:99999:7:::\napp:{h}:19700:0:99999:7:::\n", true},
	{"credentials in one line", []string{".credentials.json", "auth.json", "credentials.json"}, `{"shop":{"first":"{a}","second":"{b}","ends":1790000000,"more":["{c}"]}}` + "\n", true},
	{"credentials", []string{"credentials.json", "service-account-prod.json", "client_secret.json"}, "{\n  \"kind\": \"{a}\",\n  \"more\": {\n    \"list\": [\n      \"{b}\"\n    ]\n  }\n}\n", true},
	{"docker", []string{".docker/config.json"}, "{\n\t\"auths\": {\n\t\t\"r.tides.dev\": {\n\t\t\t\"hint\": \"{a}\"\n\t\t}\n\t}\n}\n", true},
	{"kubeconfig", []string{"kubeconfig", ".kube/config"}, "users:\n- name: {b}\n  user:\n    client-data: {a}\n", true},
	{"secrets in YAML", []string{"secrets.yml", "secrets.yaml"}, "shop:\n  first: {a}\n  second: \"{t}\"\n  block: |\n    {b}\n    {c}\nlast: {d}\n", true},
	{"secrets in TOML", []string{"secrets.toml"}, "[shop]\nfirst = \"{a}\"\nsecond = '{b}'\n", true},
	{"key", []string{"id_ed25519", "tls/server.key", "server.pem"}, "{k1}\n{k2}\n", true},
	{"master key", []string{"config/master.key"}, "{x}\n", true},
	{"vault", []string{".vault-token"}, "{a}\n", true},
}

// fill replaces the placeholders of a text by values and returns the values.
func fill(rng *rand.Rand, text string) (string, []string) {
	var secrets []string
	for _, v := range []struct {
		name string
		of   func() string
	}{
		{"{a}", func() string { return random(rng, 20, alnum) }},
		{"{b}", func() string { return random(rng, 12, alnum) }},
		{"{c}", func() string { return strings.ToLower(word(rng)+word(rng)) + number(rng, 10, 99) }},
		{"{d}", func() string { return random(rng, 32, alnum) }},
		{"{t}", func() string { return word(rng) + " " + word(rng) + " " + number(rng, 10, 99) }},
		{"{h}", func() string { return "$6$" + random(rng, 8, alnum) + "$" + random(rng, 86, alnum+"./") }},
		{"{h2}", func() string {
			return oneOf(rng, "$apr1$"+random(rng, 8, alnum)+"$"+random(rng, 22, alnum+"./"),
				"$2y$05$"+random(rng, 53, alnum+"./"))
		}},
		{"{k1}", func() string { return random(rng, 70, base64) }},
		{"{k2}", func() string { return random(rng, 70, base64) }},
		{"{x}", func() string { return random(rng, 32, hexa) }},
	} {
		if strings.Contains(text, v.name) {
			secret := v.of()
			secrets = append(secrets, secret)
			text = strings.ReplaceAll(text, v.name, secret)
		}
	}
	return text, secrets
}

// A reading is a way to read a file: the input and output of a tool, in one or two records.
type reading struct {
	name  string
	plain bool // it shows lines without the name of the file, so it is not used for files with data set
	make  func(path, text string) []string
}

func call(input string) string {
	return `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_7","name":"X","input":` + input + `}]}}`
}

func result(text string) string {
	return `{"type":"user","message":{"content":[{"tool_use_id":"toolu_7","type":"tool_result","content":` +
		quote(text) + `}]},"toolUseResult":{"stdout":` + quote(text) + `}}`
}

// command returns a reading by a command, in which %s is the path.
func command(name, text string, shape func(string) string) reading {
	return reading{name, false, func(path, content string) []string {
		if shape != nil {
			content = shape(content)
		}
		return []string{call(`{"command":` + quote(fmt.Sprintf(text, path)) + `}`), result(content)}
	}}
}

func eachLine(f func(n int, line string) string) func(string) string {
	return func(text string) string {
		var b strings.Builder
		n := 0
		for line := range strings.Lines(text) {
			n++
			b.WriteString(f(n, strings.TrimSuffix(line, "\n")) + "\n")
		}
		return b.String()
	}
}

func backwards(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	for i := len(lines) - 1; i >= 0; i-- {
		b.WriteString(lines[i] + "\n")
	}
	return b.String()
}

var added = eachLine(func(_ int, line string) string { return "+" + line })

var readings = []reading{
	{"Read", false, func(path, text string) []string {
		numbered := eachLine(func(n int, line string) string { return fmt.Sprintf("%6d→%s", n, line) })(text)
		return []string{call(`{"file_path":` + quote("/srv/app/"+path) + `}`), result(numbered)}
	}},
	{"Write", false, func(path, text string) []string {
		return []string{call(`{"file_path":` + quote("/srv/app/"+path) + `,"content":` + quote(text) + `}`)}
	}},
	{"Edit", false, func(path, text string) []string {
		return []string{
			call(`{"file_path":` + quote("/srv/app/"+path) + `,"old_string":"","new_string":` + quote(text) + `}`),
		}
	}},
	command("cat", "cat %s", nil),
	command("cat with numbers", "cat -n %s", eachLine(func(n int, line string) string {
		return fmt.Sprintf("%6d\t%s", n, line)
	})),
	command("cat of several", "cat %s*", nil),
	command("head", "cd /srv && head -n 20 %s", nil),
	command("tac", "tac %s", backwards),
	command("less", "less -R %s", nil),
	command("bat", "bat --style=numbers %s", eachLine(func(n int, line string) string {
		return fmt.Sprintf("%4d │ %s", n, line)
	})),
	command("sed", "sed -n '1,20p' %s", nil),
	command("git show", "git show HEAD:%s", nil),
	command("python", "python3 -c \"print(open('%s').read())\"", nil),
	command("node", "node -e \"console.log(require('fs').readFileSync('%s','utf8'))\"", nil),
	command("PowerShell", "Get-Content .\\%s", nil),
	command("ssh", "ssh app@web cat %s", nil),
	command("docker", "docker compose exec web cat /app/%s", nil),
	{"git diff", false, func(path, text string) []string {
		return []string{
			call(`{"command":"git diff"}`), result("diff --git a/" + path + " b/" + path +
				"\nindex 1..2 100644\n--- a/" + path + "\n+++ b/" + path + "\n@@ -0,0 +1,9 @@\n" + added(text)),
		}
	}},
	{"git log -p", false, func(path, text string) []string {
		return []string{
			call(`{"command":"git log -p -3"}`),
			result("commit 3f786850e387550fdab836ed7e6dc881de23001b\nAuthor: x\n\n    Add it\n\ndiff --git a/" + path + " b/" + path + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1,9 @@\n" + added(text)),
		}
	}},
	{"another agent", false, func(path, text string) []string {
		arguments := quote(`{"cmd":` + quote("cat "+path) + `}`)
		return []string{`{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":` +
			arguments + `,"call_id":"call_9"}}`,
			`{"type":"response_item","payload":{"type":"function_call_output","call_id":"call_9","output":` + quote("Exit code: 0\nOutput:\n"+text) + `}}`}
	}},
	{"a third agent", false, func(path, text string) []string {
		return []string{
			`{"message":{"role":"assistant","content":[{"type":"toolCall","id":"call_4","name":"read","arguments":{"path":` + quote(path) + `}}]}}`,
			`{"message":{"role":"toolResult","toolCallId":"call_4","content":[{"type":"text","text":` + quote(text) + `}]}}`,
		}
	}},
	{"Grep over a folder", true, func(path, text string) []string {
		return []string{call(`{"pattern":".","path":"/srv/app","output_mode":"content","-n":true}`),
			result(eachLine(func(n int, line string) string {
				return fmt.Sprintf("%s:%d:%s", path, n, line)
			})("X=1\n" + text))}
	}},
	{"grep -r", true, func(path, text string) []string {
		return []string{call(`{"command":"grep -r . /srv/app"}`), result(eachLine(func(_ int, line string) string {
			return "/srv/app/" + path + ":" + line
		})(text))}
	}},
	{"a heading of rg", true, func(path, text string) []string {
		return []string{call(`{"command":"rg . /srv/app"}`),
			result("/srv/app/" + path + "\n" + eachLine(func(n int, line string) string {
				return fmt.Sprintf("%d:%s", n, line)
			})(text) + "\n/srv/app/main.go\n1:package main\n")}
	}},
	{"a paste with its name", true, func(path, text string) []string {
		return []string{
			`{"type":"user","message":{"role":"user","content":` + quote("it fails. my "+path+":\n\n"+text+"\nwhat now?") + `}}`,
		}
	}},
	{"a paste in a fence", true, func(path, text string) []string {
		return []string{
			`{"type":"user","message":{"role":"user","content":` + quote("this is `"+path+"`:\n```\n"+text+"```\nwhat now?") + `}}`,
		}
	}},
}

// files returns the kinds of secret files, read in all ways.
func files() []kind {
	var all []kind
	for _, f := range secretFiles {
		for _, name := range f.names {
			all = append(all, kind{f.kind + ": " + name, func(rng *rand.Rand) []Sample {
				var some []Sample
				for _, r := range readings {
					if r.plain && f.data {
						continue
					}
					text, secrets := fill(rng, f.text)
					if r.name == "tac" && strings.Contains(f.kind, "lines") || r.name == "tac" &&
						strings.Contains(f.text, "|\n") {
						continue // reversed lines are no longer a block
					}
					some = append(some, Sample{Context: r.name, Records: r.make(name, text), Secrets: secrets})
				}
				return some
			}})
		}
	}
	return all
}

// writes returns the kinds of commands that write such a file.
func writes() []kind {
	var all []kind
	for _, w := range []struct{ name, text string }{
		{"heredoc", "cat > .env <<'EOF'\nSHOP_ID={a}\nmailer_from={b}\nGREETING=\"{t}\"\nEOF\nnpm test"},
		{"tee", "tee .env.local << EOF\nSHOP_ID={a}\nREGION_CODE={c}\nEOF"},
		{"echo", "echo \"SHOP_ID={a}\" >> .env && echo 'GREETING={t}' >> .env"},
		{"echo, two lines", "echo \"SHOP_ID={a}\" > .env\necho REGION_CODE={b} >> .env"},
		{"printf", "printf 'SHOP_ID={a}\\n' >> .env"},
	} {
		all = append(all, kind{w.name, func(rng *rand.Rand) []Sample {
			text, secrets := fill(rng, w.text)
			return []Sample{
				{Context: w.name, Records: []string{call(`{"command":` + quote(text) + `}`)}, Secrets: secrets},
			}
		}})
	}
	return append(all, kind{"a paste without a name", func(rng *rand.Rand) []Sample {
		text, secrets := fill(rng, "SHOP_ID={a}\nMAILER_FROM={b}\nGREETING=\"{t}\"\nAPI_SECRET={d}\n")
		return []Sample{of(rng, "paste", "Use these:\n\n"+text+"\nThanks", secrets...)}
	}})
}
