package secretgen

import (
	"math/rand/v2"
	"strings"
)

// userNames are names of users of a system.
var userNames = strings.Fields("maralind jonas.berg emilia tobiasw ksophie oliverx cingrid franzi83 yuki-t amelie_r dmitrip lfernandez nkowalski priyas tomek wlee " +
	"andersson hvelasquez zofia bjorn42 mhuang rasheed s.novak katrin")

func userName(d *rand.Rand) string { return userNames[d.IntN(len(userNames))] }

// suffixes are the last parts of domains: of countries, of topics, and in other scripts.
var suffixes = strings.Fields("de com org net io dev ai co co.uk com.br com.au fr it es nl pl cz at ch se no fi dk be pt gr ro hu ie ru ua jp co.jp kr cn in us ca mx ar cl " +
	"nz za il tr ae sg hk tw vn th id me tv cc to sh md py so gg rs pl ws app cloud email shop blog tech museum photography berlin bayern tokyo academy university bank insurance " +
	"рф 中国 한국 ভারত бел укр")

var domains = strings.Fields("lampen garten-haus kaffee42 acme company server host foo rosen mail 163 x q laternen email corp müller straße höhle пример 例え")

func domain(d *rand.Rand) string {
	return domains[d.IntN(len(domains))] + "." + suffixes[d.IntN(len(suffixes))]
}

// A template is a text with personal data: {u} is a user, {h} a host, {m} a mail address, {id} an id.
type template struct{ name, text string }

var mails = []template{
	{"a sentence", "Ask {m}, please."}, {"the end of one", "Write to {m}."}, {"brackets", "Mara Lind <{m}>"},
	{"quotes", "said “{m}” and"}, {"guillemets", "an «{m}»"},
	{"a dash", "mail—{m}—to"}, {"JSON", `{"email": "{m}"}`}, {"YAML", "author: {m}\n"},
	{"git log", "Author: M <{m}>\nDate: x\n"}, {"an env file", "MAIL={m}\n"},
	{"a link", "[mail](mailto:{m})"}, {"HTML", `<a href="mailto:{m}">x</a>`}, {"a list", "a;{m};b"},
	{"CSV", "7,{m},Berlin\n"}, {"a table", "| {m} | 7 |"}, {"a no-break space", "an\u00a0{m}\u00a0und"},
	{"colours", "\x1b[33m{m}\x1b[0m"}, {"bold", "**{m}**"}, {"code", "`{m}`"}, {"SQL", "WHERE mail = '{m}'"},
	{"a question", "Is it {m}?"}, {"an ellipsis", "{m}…"}, {"git config", "git config user.email {m}"},
}

// homes are home folders and names of people. The user is known from the folder of the record.
var homes = []template{
	{"Linux", "/home/{u}/src/a.go"}, {"macOS", "/Users/{u}/src"}, {"Windows", `C:\Users\{u}\src`},
	{"Windows, slashes", "C:/Users/{u}/src"}, {"a mount", "/mnt/c/Users/{u}/src"},
	{"WSL", `\\wsl.localhost\Ubuntu\home\{u}\src`}, {"WSL, of old", `\\wsl$\Ubuntu\home\{u}`},
	{"WSL, slashes", "//wsl.localhost/Ubuntu/home/{u}/src"},
	{"WSL, escaped", `"\\\\wsl.localhost\\Ubuntu\\home\\{u}\\x"`},
	{"a file URL", "file:///home/{u}/a.html"}, {"a remote URL", "vscode-remote://wsl+ubuntu/home/{u}/src"},
	{"ssh URL", "sftp://lantern/home/{u}/src"}, {"a query", "https://x.dev/?f=%2Fhome%2F{u}%2Fsrc"},
	{"a query, macOS", "open?path=%2FUsers%2F{u}%2Fsrc&x=1"}, {"a query, Windows", "?p=C%3A%5CUsers%5C{u}%5Csrc"},
	{"encoded twice", "u=%252Fhome%252F{u}%252Fx"}, {"a mention", "look at @/home/{u}/a.go please"},
	{"a mention alone", "@/home/{u}/a.go"}, {"a tilde", "cd ~{u}/src"}, {"a tilde alone", "ls ~{u}"},
	{"a list of projects", "-home-{u}-src-app\n-home-{u}-notes\n"}, {"a project in quotes", `"-Users-{u}-app"`},
	{"columns", "-home-{u}-src   -home-{u}-b"}, {"a project of Windows", "C--Users-{u}-src"},
	{"a project's path", ".claude/projects/-home-{u}-src/x.jsonl"},
	{"a line of ls", "-rw-r--r-- 1 {u} {u} 12 May 3 10:00 a"},
	{"ssh", "ssh {u}@lantern uptime"}, {"ssh with options", "ssh -p 2222 -i key {u}@lantern"},
	{"ssh to a number", "ssh {u}@10.0.0.7"}, {"scp", "scp a.txt {u}@lantern:/srv/"},
	{"rsync", "rsync -a x/ {u}@lantern:x/"},
	{"a prompt", "{u}@lantern:~/src$ ls\n"},
	{"a prompt in colours", "\x1b[01;32m{u}@lantern\x1b[00m:\x1b[01;34m~/src\x1b[00m$ ls\n"},
	{"a prompt with a title", "\x1b]0;{u}@lantern: ~\x07{u}@lantern:~$ ls\n"},
	{"a prompt in colours, escaped", `\u001b[01;32m{u}@lantern\u001b[00m:\u001b[01;34m~/src\u001b[00m$ ls`},
	{"a prompt in colours without the escape", "[01;32m{u}@lantern[00m:[01;34m~/src[00m$ ls\n"},
	{"a prompt of root", "[{u}@lantern src]$ ls\n"}, {"a prompt of zsh", "{u}@lantern src % ls\n"},
	{"a prompt of fish", "{u}@lantern ~/src> ls\n"},
	{"a prompt of Git Bash", "{u}@LANTERN MINGW64 ~/src (main)\n$ ls\n"},
	{"a prompt of Kali", "┌──({u}㉿lantern)-[~]\n└─$ ls\n"},
	{"id", "uid=1000({u}) gid=1000({u}) groups=1000({u}),27(sudo)"}, {"a temporary folder", "/tmp/{u}/x"},
	{"a link of a terminal", "\x1b]8;;file:///home/{u}/x\x07x\x1b]8;;\x07"},
}

var queries = []template{{"a query", "https://x.dev/?mail={m}&a=b"}, {"a link", "mailto%3A{m}"}}

var accounts = []template{
	{"organization_id", `{"organization_id": "{id}"}`}, {"org_id", "org_id={id}"},
	{"organizationId", `organizationId: "{id}"`}, {"orgId", `"orgId":"{id}"`},
	{"accountUuid", `{"accountUuid":"{id}"}`}, {"user_id", "user_id: {id}"},
	{"a header", "anthropic-organization-id: {id}"},
	{"organization_uuid", `"organization_uuid": "{id}"`},
}

// personClasses returns the classes of personal data.
func personClasses() []Class {
	return []Class{
		{"e-mail addresses", true, []kind{fromTemplates("addresses", mails, "{m}", func(d *rand.Rand) string {
			local := userName(d)
			if d.IntN(4) == 0 {
				local += "+" + strings.ToLower(word(d))
			}
			m := local + "@" + domain(d)
			if d.IntN(8) == 0 {
				m = strings.ToUpper(m)
			}
			return m
		}, "", 20), fromTemplates("addresses in queries", queries, "{m}", func(d *rand.Rand) string {
			return userName(d) + "%40lampen." + oneOf(d, "de", "com", "io", "co.uk", "md", "sh")
		}, "", 20)}},
		{"home folders and names of users", true, []kind{
			fromTemplates("known by the folder of the session", homes, "{u}", userName, "/home/{u}/src", 8),
			fromTemplates("not known yet", unknown(homes), "{u}", func(d *rand.Rand) string {
				return strings.NewReplacer(".", "", "-", "", "_", "").Replace(userName(d))
			}, "", 8),
		}},
		{"ids of accounts and organizations", true, []kind{
			fromTemplates("UUIDs", accounts, "{id}", func(d *rand.Rand) string {
				return random(d, 8, hexa) + "-" + random(d, 4, hexa) + "-4" + random(d, 3, hexa) + "-a" +
					random(d, 3, hexa) + "-" + random(d, 12, hexa)
			}, "", 10),
			fromTemplates("org-", accounts, "{id}", func(d *rand.Rand) string {
				return "org-" + random(d, 24, alnum)
			}, "", 10),
			fromTemplates("numbers with a prefix", accounts, "{id}", func(d *rand.Rand) string {
				return oneOf(d, "org_", "acct_", "user_") + "01" + random(d, 22, alnum)
			}, "", 10),
		}},
	}
}

// unknown returns the templates in which only the syntax marks a user.
func unknown(all []template) []template {
	var some []template
	for _, s := range all {
		if !strings.Contains(s.text, "~{u}") && !strings.HasPrefix(s.text, "-rw") &&
			!strings.HasPrefix(s.text, "/tmp") {
			some = append(some, s)
		}
	}
	return some
}

// fromTemplates returns a kind of value in templates, several times in each. If folder is set, a record before gives it
// as the session's folder.
func fromTemplates(name string, templates []template, sign string, value func(*rand.Rand) string, folder string,
	times int,
) kind {
	return kind{name, func(rng *rand.Rand) []Sample {
		var all []Sample
		for _, sc := range templates {
			for range times {
				v := value(rng)
				s := of(rng, sc.name, strings.ReplaceAll(sc.text, sign, v), v)
				if folder != "" {
					s.Records = append([]string{
						`{"type":"user","cwd":` + quote(strings.ReplaceAll(folder, sign, v)) + `}`,
					}, s.Records...)
				}
				all = append(all, s)
			}
		}
		return all
	}}
}
