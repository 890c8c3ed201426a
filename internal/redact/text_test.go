package redact

import (
	"encoding/base64"
	"strings"
	"testing"
)

var (
	gh     = "ghp" + "_" + fake(1, 36, alnum)
	gh2    = "ghp" + "_" + fake(2, 36, alnum)
	ant    = "sk-ant-" + "api03-" + fake(3, 93, alnum) + "AA"
	oat    = "sk-ant-" + "oat01-" + fake(4, 80, alnum)
	aws    = "AKIA" + fake(5, 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
	awsKey = fake(6, 40, base64Signs)
	jwt    = "eyJ" + fake(7, 20, alnum) + ".eyJ" + fake(8, 40, alnum) + "." + fake(9, 43, alnum)
	plain  = fake(10, 24, alnum)
	sum64  = fake(11, 64, hexSigns)
	sum40  = fake(12, 40, hexSigns)
	pw     = "tr0ub4dor&3"

	lower16 = randomText(20, 16, alnum[26:52])
	signs   = randomText(21, 24, alnum+"!@#%^*+-_=.,:?~")
)

// texts are inputs and expected outputs.
var texts = []struct{ name, in, want string }{
	{"nothing", "a text without secrets", "a text without secrets"},
	{"a token", "use " + gh + " here", "use [github-token 1] here"},
	{"the same twice, and another", gh + " " + gh2 + " " + gh, "[github-token 1] [github-token 2] [github-token 1]"},
	{"tokens in a path", gh + "/" + gh2 + "/" + aws + "/" + aws, "[github-token 1]/[github-token 2]/[aws-access-token 1]/[aws-access-token 1]"},
	{"a token behind a long path", "x.dev/abcdefghijklmnopqrst/" + gh + "/" + sum40 + "/" + aws, "x.dev/abcdefghijklmnopqrst/[github-token 1]/" + sum40 + "/[aws-access-token 1]"},
	{"base64 that has a key by chance", "sha512-" + sum40 + "/" + aws + "+" + sum40 + "==", "sha512-" + sum40 + "/" + aws + "+" + sum40 + "=="},
	{"keys of Anthropic, all kinds", ant + "\n" + oat, "[anthropic-token 1]\n[anthropic-token 2]"},
	{"an AWS key pair", "aws_access_key_id = " + aws + "\naws_secret_access_key = " + awsKey + "\n", "aws_access_key_id = [aws-access-token 1]\naws_secret_access_key = [secret 1]\n"},
	{"after an escape in a text inside of a text", `{\"a\":\"x\n` + ant + `\n\"}`, `{\"a\":\"x\n[anthropic-token 1]\n\"}`},
	{"a JSON web token", "token=" + jwt, "token=[jwt 1]"},

	{"an assignment in a shell", "export DB_PASSWORD=" + pw + "\nnext", "export DB_PASSWORD=[password 1]\nnext"},
	{"before a command", "PGPASSWORD=" + pw + " psql -h db", "PGPASSWORD=[password 1] psql -h db"},
	{"in code", `const apiKey = "` + plain + `";`, `const apiKey = "[secret 1]";`},
	{"in Go", "\tapiToken string = \"" + plain + "\"", "\tapiToken string = \"[secret 1]\""},
	{"in YAML", "db:\n  password: " + pw + "\n  user: app", "db:\n  password: [password 1]\n  user: app"},
	{"in JSON in a text", `{"client_secret": "` + plain + `"}`, `{"client_secret": "[secret 1]"}`},
	{"in JSON in a text in a text", `{\"client_secret\":\"` + plain + `\"}`, `{\"client_secret\":\"[secret 1]\"}`},
	{"in XML", "<apiKey>" + plain + "</apiKey>", "<apiKey>[secret 1]</apiKey>"},
	{"as arguments", `os.Setenv("API_TOKEN", "` + plain + `")`, `os.Setenv("API_TOKEN", "[secret 1]")`},
	{"as name and value", `{"name": "API_TOKEN", "value": "` + plain + `"}`, `{"name": "API_TOKEN", "value": "[secret 1]"}`},
	{"in an index", `env["API_TOKEN"] = "` + plain + `"`, `env["API_TOKEN"] = "[secret 1]"`},
	{"on a command line", "login --password " + pw + " --user mara", "login --password [password 1] --user mara"},
	{"in a query", "https://x.dev/a?api_key=" + plain + "&page=2", "https://x.dev/a?api_key=[secret 1]&page=2"},
	{"a hexadecimal key of a strong name", "API_SECRET_KEY=" + sum64, "API_SECRET_KEY=[secret 1]"},
	{"numbered lines of Read", "     1→API_KEY=" + plain + "\n     2→X=1", "     1→API_KEY=[secret 1]\n     2→X=1"},
	{"again without its name", "TOKEN=" + plain + "\n", "TOKEN=[secret 1]\n"},
	{"a connection string", "Server=db;User Id=app;Password=" + pw + ";", "Server=db;User Id=app;Password=[password 1];"},
	{"the key of a vendor", "DATADOG_API_KEY: " + sum40, "DATADOG_API_KEY: [datadog-access-token 1]"},
	{"curl with a password", "curl -u app:" + plain + " https://x.dev", "curl -u app:[password 1] https://x.dev"},

	{"curl with a password in quotes", "curl -s -u 'app:two words' \\\n  https://x.dev", "curl -s -u 'app:[password 1]' \\\n  https://x.dev"},
	{"a secret of Kubernetes", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ndata:\n  user: bWFyYQ==\n  cert: |\n    " + plain + "\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  a: kept\n", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ndata:\n  user: [secret 1]\n  cert: |\n    [secret 2]\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  a: kept\n"},
	{"a key of Freemius", `'secret_key' => 'sk_` + fake(31, 20, alnum) + "#*@^&!{}|" + `',`, `'secret_key' => '[freemius-secret-key 1]',`},
	{"the password of NuGet", `<add key="ClearTextPassword" value="` + pw + `" />`, `<add key="ClearTextPassword" value="[password 1]" />`},

	{"commands", "sshpass -p " + pw + " ssh a\nmysql -uapp -p" + pw + " shop\nredis-cli -a '" + pw +
		"' ping\ncurl -sSu app:" + pw + " x.dev\nzip -P " + pw + " a.zip b",
		"sshpass -p [password 1] ssh a\nmysql -uapp -p[password 1] shop\nredis-cli -a '[password 1]' ping\ncurl -sSu app:[password 1] x.dev\nzip -P [password 1] a.zip b"},
	{"commands with the password at its place", "htpasswd -cbB .users app " + pw +
		"\nnpm config set //npm.lampen.dev/:_authToken " + pw + "\nnet user app " + pw + " /add",
		"htpasswd -cbB .users app [password 1]\nnpm config set //npm.lampen.dev/:_authToken [password 1]\nnet user app [password 1] /add"},
	{"commands that read a password", "echo '" + pw + "' | sudo -S id\ngh auth login --with-token <<< " + plain +
		"\necho app:" + pw + " | chpasswd",
		"echo '[password 1]' | sudo -S id\ngh auth login --with-token <<< [password 2]\necho app:[password 1] | chpasswd"},

	{"commands that keep a secret",
		"fly secrets set LAMP=" + pw + " ROSE=" + plain + "\npulumi config set --secret shop:lamp " + pw +
			"\naws ssm put-parameter --type SecureString --name /a --value " + pw + "\necho -n " + pw +
			" | gcloud secrets create lamp --data-file=-",
		"fly secrets set LAMP=[password 1] ROSE=[password 2]\npulumi config set --secret shop:lamp [password 1]" +
			"\naws ssm put-parameter --type SecureString --name /a --value [password 1]\necho -n [password 1] | gcloud secrets create lamp --data-file=-"},
	{"a line of .pgpass alone",
		"db.lampen.dev:5432:shop:app:" + pw + "\n\"localhost:5432:*:app:" + pw + "\"",
		"db.lampen.dev:5432:shop:app:[secret 1]\n\"localhost:5432:*:app:[secret 1]\""},
	{"an entry of .netrc alone",
		"machine a.dev\n  login b\n  password roses-lamps\n\"machine a.dev login b password " + pw + "\"",
		"machine a.dev\n  login b\n  password [secret 1]\n\"machine a.dev login b password [secret 2]\""},
	{"cookies in a file of curl",
		"#HttpOnly_.lampen.dev\tTRUE\t/\tFALSE\t1893456000\tsid\t" + plain + "\n.lampen.dev\tTRUE\t/\tTRUE\t0\ttheme\tdark\n",
		"#HttpOnly_.lampen.dev\tTRUE\t/\tFALSE\t1893456000\tsid\t[cookie 1]\n.lampen.dev\tTRUE\t/\tTRUE\t0\ttheme\tdark\n"},
	{"cookies in JSON",
		`[{"name": "sid", "value": "` + plain + `", "httpOnly": true}, {"name": "theme", "value": "dark", "httpOnly": false}]`,
		`[{"name": "sid", "value": "[cookie 1]", "httpOnly": true}, {"name": "theme", "value": "dark", "httpOnly": false}]`},
	{"recovery codes", "Your recovery codes:\n\n1f3a9-c07be\n22b4d-90aef\n7d1c8-4be02\n90ab3-1fe77\n\nKeep them",
		"Your recovery codes:\n\n[secret 1]\n[secret 2]\n[secret 3]\n[secret 4]\n\nKeep them"},
	{"a key of PuTTY",
		"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n" + awsKey[:32] + "\n" + awsKey[8:] + "\nPrivate-MAC: 00",
		"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n[private-key 1]\n\nPrivate-MAC: 00"},
	{"a key that openssl prints",
		"modulus:\n    00:c1:3a\nprivateExponent:\n    00:a1:22:b3:4c:5d:6e:7f:80:91:a2:b3:c4:d5:\n    1f:3a:9c\nprime1:\n    none",
		"modulus:\n    00:c1:3a\nprivateExponent:\n    [private-key 1]\n    \nprime1:\n    none"},

	{"letters alone in a file of settings", "[db]\npassword = " + lower16 + "\nport = 5432", "[db]\npassword = [password 1]\nport = 5432"},
	{"signs in a value", `{"apiKey": "` + signs + `"}`, `{"apiKey": "[secret 1]"}`},
	{"a password", "password: Sommerregen42!\n", "password: [password 1]\n"},
	{"an escaped quote in a value", `{"password": "ab\"cd9xk"}`, `{"password": "[password 1]"}`},
	{"HTML", `{&quot;apiKey&quot;: &quot;` + plain + `&quot;}`, `{&quot;apiKey&quot;: &quot;[secret 1]&quot;}`},
	{"Markdown", "**API key**: " + plain + "\n- Secret key: `" + plain + "`", "**API key**: [secret 1]\n- Secret key: `[secret 1]`"},
	{"colours", "\x1b[36mDB_PASSWORD\x1b[0m=\x1b[33m" + pw + "\x1b[0m\n", "\x1b[36mDB_PASSWORD\x1b[0m=\x1b[33m[password 1]\x1b[0m\n"},
	{"colours in a token", "ghp_\x1b[01;31m" + gh[4:12] + "\x1b[m" + gh[12:] + " " + gh, "[github-token 1] [github-token 1]"},
	{"colours that are written out", `{"a":"\u001b[36mDB_PASSWORD\u001b[0m=\u001b[33m` + pw + `\u001b[0m"}`, `{"a":"\u001b[36mDB_PASSWORD\u001b[0m=\u001b[33m[password 1]\u001b[0m"}`},
	{"outputs of tools",
		"db_password = {\n  \"sensitive\": true\n  \"value\": \"x\"\n}\n\"pw_password\": {\"type\": \"string\", \"value\": \"" + pw + "\"}\n\"Name\": \"/db/password\", \"Type\": \"SecureString\", \"Value\": \"" + pw + "\"\npassword    " + pw + "\n",
		"db_password = {\n  \"sensitive\": true\n  \"value\": \"x\"\n}\n\"pw_password\": {\"type\": \"string\", \"value\": \"[password 1]\"}\n\"Name\": \"/db/password\", \"Type\": \"SecureString\", \"Value\": \"[password 1]\"\npassword    [password 1]\n"},
	{"arguments of a command", `["mysql", "--password", "` + pw + `"]`, `["mysql", "--password", "[password 1]"]`},
	{"a setter", `db.setPassword("` + pw + `"); p = db.getPassword("of-the-shop-1");`, `db.setPassword("[password 1]"); p = db.getPassword("of-the-shop-1");`},
	{"a type before the value", `password = SecretStr('` + pw + `'); const password: string = "` + pw + `"`, `password = SecretStr('[password 1]'); const password: string = "[password 1]"`},
	{"a macro, a Dockerfile and SQL", "#define DB_PASSWORD \"" + pw + "\"\nENV DB_PASSWORD " + pw + "\nIDENTIFIED BY '" + pw + "'", "#define DB_PASSWORD \"[password 1]\"\nENV DB_PASSWORD [password 1]\nIDENTIFIED BY '[password 1]'"},
	{"a sentence", "the password is " + pw + ", and the token is required", "the password is [password 1], and the token is required"},
	{"lines that a search printed", "a/b.txt:12:password: " + pw + "\nb.txt:7:5:API_TOKEN=" + plain + "\n  a/b.txt:password=lampenlicht\n", "a/b.txt:12:password: [password 1]\nb.txt:7:5:API_TOKEN=[secret 1]\n  a/b.txt:password=[password 2]\n"},
	{"what is assigned to a qualified name", "INFO:DB_PASSWORD=" + pw, "INFO:DB_PASSWORD=[password 1]"},
	{"the same with blanks", "Config::password = \"" + pw + "\"", "Config::password = \"[password 1]\""},
	{"an attribute with a namespace", "<a db:password=\"" + pw + "\"/>", "<a db:password=\"[password 1]\"/>"},
	{"a line that a search printed, of a file without ending", "Makefile:12:password: " + pw,
		"Makefile:12:password: [password 1]"},
	{"a key in a path, in the name of a file, or behind a blank that is written out",
		"a/npm_" + fake(67, 36, alnum) + "/b c/npm_" + fake(68, 36, alnum) + ".txt ?q=my%20npm_" + fake(69, 36, alnum),
		"a/[npm-access-token 1]/b c/[npm-access-token 2].txt ?q=my%20[npm-access-token 3]"},
	{"a list below a name", "passwords:\n  - " + pw + "\n  - \"" + fake(76, 12, alnum) + "\" # old\nusers:\n" +
		"  - mara7788xx",
		"passwords:\n  - [password 1]\n  - \"[password 2]\" # old\nusers:\n  - mara7788xx"},
	{"a list in a diff", "+api_keys:\n+- " + plain + "\n-- " + fake(77, 24, alnum) + "\n", "+api_keys:\n" +
		"+- [secret 1]\n-- [secret 2]\n"},
	{"a list of rules for passwords", "Passwords:\n- at least 12 characters\n- rotate/90days:\n", "Passwords:\n" +
		"- at least 12 characters\n- rotate/90days:\n"},
	{"a value below its name", "Here is the API key:\n\n" + plain + "\n\nThe secret:\n```\n" + fake(78, 24, alnum) +
		"\n```\n",
		"Here is the API key:\n\n[secret 1]\n\nThe secret:\n```\n[secret 2]\n```\n"},
	{"a value on the next line of a command", "login --user mara \\\n  --password \\\n  " + pw + " \\\n" +
		"  --token \\\n  --quiet",
		"login --user mara \\\n  --password \\\n  [password 1] \\\n  --token \\\n  --quiet"},
	{"the same in PowerShell", "login `\n  --password `\n  " + pw, "login `\n  --password `\n  [password 1]"},
	{"a column of CSV", "id,user,password,role\n1,anna," + pw + ",admin\n2,bert,\"" + fake(79, 12, alnum) +
		"\",\"a, b\"\n3,cleo,,ops\n\nid,x77788899",
		"id,user,password,role\n1,anna,[password 1],admin\n2,bert,\"[password 2]\",\"a, b\"\n3,cleo,,ops\n\n" +
			"id,x77788899"},
	{"columns of numbered lines", "     1\tuser\tapi token\n     2\tanna\t" + plain + "\n",
		"     1\tuser\tapi token\n     2\tanna\t[secret 1]\n"},
	{"a table that psql prints", " id | user | password \n----+------+----------\n  1 | anna | " + pw + "\n(1 row)\n",
		" id | user | password \n----+------+----------\n  1 | anna | [password 1]\n(1 row)\n"},
	{"a table that mysql prints", "+------+-------------+\n| user | password    |\n+------+-------------+\n" +
		"| anna | " + pw + " |\n+------+-------------+\n",
		"+------+-------------+\n| user | password    |\n+------+-------------+\n| anna | [password 1] |\n" +
			"+------+-------------+\n"},
	{"a table in Markdown", "|user|password|\n|---|---|\n|anna|`" + pw + "`|\n", "|user|password|\n|---|---|\n" +
		"|anna|`[password 1]`|\n"},
	{"lists in code are no tables", "\t\"password\",\n\t\"x7y8z9w0q1\",\n\"token\", \"xtoken\",\n" +
		"\"rhyt1978hm\", \"rhythm1978\",\n",
		"\t\"password\",\n\t\"x7y8z9w0q1\",\n\"token\", \"xtoken\",\n\"rhyt1978hm\", \"rhythm1978\",\n"},
	{"a test that types a password", "page.getByLabel(\"Password\").fill(\"" + pw + "\")\n" +
		"d.find_element(By.ID, 'password').send_keys('" + fake(80, 12, alnum) + "')\n" +
		"getByRole('textbox', { name: 'Password' }).fill('" + fake(81, 12, alnum) + "')",
		"page.getByLabel(\"Password\").fill(\"[password 1]\")\n" +
			"d.find_element(By.ID, 'password').send_keys('[password 2]')\n" +
			"getByRole('textbox', { name: 'Password' }).fill('[password 3]')"},
	{"a pair with its value first, and more after it", `[{"value":"` + pw + `","key":"password","type":"string"}]`,
		`[{"value":"[password 1]","key":"password","type":"string"}]`},
	{"an element with CDATA", "<password><![CDATA[" + pw + "]]></password>",
		"<password><![CDATA[[password 1]]]></password>"},
	{"the password of something", "The password for the admin account is " + pw + ".",
		"The password for the admin account is [password 1]."},
	{"an error that quotes a key", "Incorrect API key provided: " + plain + ", see",
		"Incorrect API key provided: [secret 1], see"},
	{"a task of Windows", "schtasks /create /ru mara /rp " + plain + " /tn x",
		"schtasks /create /ru mara /rp [password 1] /tn x"},
	{"settings of routers", "enable secret 9 $9$" + fake(82, 14, alnum) + "$" + fake(83, 43, alnum) + "\n" +
		"username mara privilege 15 password 0 " + pw +
		"\n password 7 " + fake(84, 18, "0123456789ABCDEF") + "\nsnmp-server community " + fake(85, 12, alnum) +
		" RO\n" +
		" ikev1 pre-shared-key " + fake(86, 16, alnum) + "\nradius-server key 7 " + fake(87, 16, alnum),
		"enable secret 9 [network-password 1]\nusername mara privilege 15 password 0 [network-password 2]\n" +
			" password 7 [network-password 3]\nsnmp-server community [network-password 4] RO\n" +
			" ikev1 pre-shared-key [network-password 5]\nradius-server key 7 [network-password 6]"},
	{"a user and a password as arguments",
		"get(u, auth=(\"mara\", \"" + fake(92, 12, alnum) + "\"))\nsmtp.login('mara', '" + fake(93, 12, alnum) +
			"')\nr.SetBasicAuth(\"mara\", \"" + pw + "\")\nr.SetBasicAuth(\"user\", \"password\")",
		"get(u, auth=(\"mara\", \"[login-password 1]\"))\nsmtp.login('mara', '[login-password 2]')\n" +
			"r.SetBasicAuth(\"mara\", \"[login-password 3]\")\nr.SetBasicAuth(\"user\", \"password\")"},
	{"a key file in base64", "KEY=" + base64.StdEncoding.EncodeToString([]byte(fakeKey(88, 4))) + "\n",
		"KEY=[private-key 1]\n"},
	{"temporary keys of AWS in columns", "CREDENTIALS\tASIA" + fake(89, 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") +
		"\t2026-01-01T00:00:00+00:00\t" +
		fake(90, 40, base64Signs) + "\t" + fake(91, 300, base64Signs) + "\n",
		"CREDENTIALS\t[aws-access-token 1]\t2026-01-01T00:00:00+00:00\t[aws-secret-key 1]\t[aws-session-token 1]\n"},
	{"a key before an ending that could be part of it",
		"pscale_tkn_" + fake(75, 40, alnum) + ".the-ending-of-the-name-of-this-file",
		"[planetscale-api-token 1].the-ending-of-the-name-of-this-file"},
	{"names that end in pass, pw, pat and psk",
		"SSHPASS=" + pw + "\nSMTP_PW=" + fake(70, 12, alnum) + "\nbindpw: " + fake(71, 12, alnum) + "\nGH_PAT=" +
			fake(72, 52, alnum) + "\n  psk=\"" + fake(73, 12, alnum) + "\"\nkennwort = " + fake(74, 12, alnum),
		"SSHPASS=[password 1]\nSMTP_PW=[secret 1]\nbindpw: [secret 2]\nGH_PAT=[secret 3]\n" +
			"  psk=\"[secret 4]\"\nkennwort = [secret 5]"},
	{"a keyword of Clojure", "{:password \"" + pw + "\"}", "{:password \"[password 1]\"}"},
	{"a value in Lisp", "(setq password \"" + pw + "\")", "(setq password \"[password 1]\")"},
	{"a tuple of Erlang", "{password, \"" + pw + "\"}", "{password, \"[password 1]\"}"},
	{"a string of C++", "std::string password(\"" + pw + "\");", "std::string password(\"[password 1]\");"},
	{"settings of Redis", "masterauth " + pw, "masterauth [password 1]"},
	{"an element with a namespace", "<ns:password>" + pw + "</ns:password>", "<ns:password>[password 1]</ns:password>"},
	{"an element of SOAP", "<wsse:Password Type=\"x#Text\">" + pw + "</wsse:Password>",
		"<wsse:Password Type=\"x#Text\">[password 1]</wsse:Password>"},
	{"signs of Chinese keyboards", "password：" + pw + " token＝" + plain, "password：[password 1] token＝[secret 1]"},
	{"three quotes", "password = \"\"\"" + pw + "\"\"\"", "password = \"\"\"[password 1]\"\"\""},
	{"a record of psql", "-[ RECORD 1 ]\nname     | a\npassword | " + plain + "\n",
		"-[ RECORD 1 ]\nname     | a\npassword | [password 1]\n"},
	{"lines of an .env that a search printed", "app/.env:3:SHOP=Lampen\napp/main.go:3:SHOP=Lampen", "app/.env:3:SHOP=[secret 1]\napp/main.go:3:SHOP=Lampen"},
	{"an .env in a patch", "diff --git a/.env b/.env\n+++ b/.env\n+shop=Lampen & Co\ndiff --git a/x b/x\n+y=z", "diff --git a/.env b/.env\n+++ b/.env\n+shop=[secret 1]\ndiff --git a/x b/x\n+y=z"},
	{"an .env that was pasted", "my .env:\nSHOP=Lampen\nTEXT=\"a\nb\"\n\nIt fails=always", "my .env:\nSHOP=[secret 1]\nTEXT=\"[secret 2]\n[secret 3]\"\n\nIt fails=always"},
	{"other files that were pasted", "my secrets.yaml:\nshop: Lampen42x\n\nend\nmy credentials.json:\n{\n  \"shop\": \"Lampen43x\"\n}\n\nend",
		"my secrets.yaml:\nshop: [secret 1]\n\nend\nmy credentials.json:\n{\n  \"shop\": \"[secret 2]\"\n}\n\nend"},
	{"a file with one word that was pasted", "my ~/.vault-token:\n" + plain + "\n\nend", "my ~/.vault-token:\n[secret 1]\n\nend"},
	{"a .netrc that was pasted", "my .netrc:\nmachine a.dev\n  login b\n  password " + pw + "\nIt is here",
		"my .netrc:\nmachine a.dev\n  login b\n  password [secret 1]\nIt is here"},
	{"a .netrc in one line", "~/.netrc:\n```\nmachine a.dev login b password " + pw + "\n```", "~/.netrc:\n```\nmachine a.dev login b password [secret 1]\n```"},
	{"a key as the user of a command", "curl -su " + plain + ": x.dev", "curl -su [password 1]: x.dev"},
	{"a new object around the value", `password = new SecureString("` + pw + `");`, `password = new SecureString("[password 1]");`},
	{"a JSON web token without a signature", jwt[:strings.LastIndex(jwt, ".")] + ". here", "[jwt 1] here"},
	{"a file below its name", ".env:\nSHOP=Lampen\n\n~/lamp/.env:\n```\nSHOP=Moor\n```", ".env:\nSHOP=[secret 1]\n\n~/lamp/.env:\n```\nSHOP=[secret 2]\n```"},
	{"blanks around the equals sign of an .env", "my .env:\nSHOP = Lampen\n", "my .env:\nSHOP = [secret 1]\n"},
	{"a file in the output of a terminal",
		"$ cat app/secrets.yaml\nshop: Lampen42x\n$ go env\nshop: kept\n$ cat ~/.npmrc\n//x.dev/:_authToken=Lampen\n",
		"$ cat app/secrets.yaml\nshop: [secret 1]\n$ go env\nshop: kept\n$ cat ~/.npmrc\n//x.dev/:_authToken=[secret 2]\n"},
	{"a file that a script in a text writes",
		"cat > .env <<'EOF'\nSHOP=Lampen\nEOF\nlamp=kept\ntee .env.production <<EOF >log\nSHOP=Moor\nEOF\n",
		"cat > .env <<'EOF'\nSHOP=[secret 1]\nEOF\nlamp=kept\ntee .env.production <<EOF >log\nSHOP=[secret 2]\nEOF\n"},
	{"variables of PowerShell",
		"PS C:\\> $env:DB_PASSWORD = \"" + pw + "\"\n$Env:API_TOKEN='" + plain + "'; $global:apiSecret = '" + pw + "'",
		"PS C:\\> $env:DB_PASSWORD = \"[password 1]\"\n$Env:API_TOKEN='[secret 1]'; $global:apiSecret = '[password 1]'"},
	{"what aws configure asks for",
		"AWS Access Key ID [****************7RZ2]: " + aws + "\nAWS Secret Access Key [None]: " + awsKey + "\nDefault region name [None]: eu-central-1",
		"AWS Access Key ID [****************7RZ2]: [aws-access-token 1]\nAWS Secret Access Key [None]: [secret 1]\nDefault region name [None]: eu-central-1"},
	{"a token as the user of a URL",
		"https://" + plain + ":x-oauth-basic@github.com/a/b https://" + plain + ":@api.lampen.dev",
		"https://[password 1]:[password 2]@github.com/a/b https://[password 1]:@api.lampen.dev"},
	{"variables that docker inspect prints",
		"  \"Env\": [\n    \"MYSQL_ROOT_PASSWORD=Moorlaterne\",\n    \"PATH=/usr/bin\"\n  ]",
		"  \"Env\": [\n    \"MYSQL_ROOT_PASSWORD=[password 1]\",\n    \"PATH=/usr/bin\"\n  ]"},
	{"both values of a change in a plan of terraform",
		"  ~ password = \"" + pw + "\" -> \"Moorlaterne\"\n  ~ name = \"a\" -> \"b\"",
		"  ~ password = \"[password 1]\" -> \"[password 2]\"\n  ~ name = \"a\" -> \"b\""},
	{"a secret that a program reads from its input",
		"echo " + pw + " | gh secret set API_TOKEN\nprintf '" + plain + "' | wrangler secret put KEY",
		"echo [password 1] | gh secret set API_TOKEN\nprintf '[password 2]' | wrangler secret put KEY"},
	{"lines around a secret", "SHOP=Lampen\nDEBUG=true\nAPI_SECRET=" + plain + "\nother=kept", "SHOP=[secret 1]\nDEBUG=true\nAPI_SECRET=[secret 2]\nother=kept"},
	{"the hash of a password", "app:$6$" + fake(66, 8, alnum) + "$" + fake(67, 86, alnum) + ":19700:0:::", "app:[password-hash 1]:19700:0:::"},
	{"the webhook of Discord", "https://discord.com/api/webhooks/" + randomText(61, 19, "123456789") + "/" + fake(62, 68, alnum), "https://discord.com/api/webhooks/[discord-webhook-url 1]"},
	{"all of a long token of gcloud and of GitHub", "ya29.c." + fake(63, 200, alnum) + "." + fake(64, 90, alnum) + " ghr_" + fake(65, 76, alnum), "[google-access-token 1] [github-token 1]"},
	{"the words of a wallet on another line", "Recovery phrase:\n" + strings.Repeat("river lamp ", 6) + "\nseed words: " + strings.Repeat("river lamp ", 6) + ".\n", "Recovery phrase:\n[secret 1]\nseed words: [secret 1].\n"},
	{"the words of a wallet", "recovery phrase: " + strings.Repeat("river lamp ", 6) + "\nthe key phrase: a few words", "recovery phrase: [secret 1]\nthe key phrase: a few words"},
	{"a long token", "aws_session_token = " + fake(60, 900, base64Signs) + "\n", "aws_session_token = [secret 1]\n"},
	{"a password in a URL", "postgres://app:" + pw + "@db.internal:5432/x", "postgres://app:[password 1]@db.internal:5432/x"},
	{"a password with an @", "redis://:p" + plain + "@" + plain + "@cache:6379", "redis://:[password 1]@cache:6379"},
	{"a token in a URL", "git clone https://" + plain + "@github.com/a/b", "git clone https://[password 1]@github.com/a/b"},
	{"a user and a token in a URL", "https://x-access-token:" + gh + "@github.com/a/b.git", "https://x-access-token:[github-token 1]@github.com/a/b.git"},

	{"tags and anchors of YAML", "password: &db " + pw + "\npassword: !!str \"" + pw + "\"\n  password: !vault '" + pw + "'\nlet token: &str = \"" + plain + "\"", "password: &db [password 1]\npassword: !!str \"[password 1]\"\n  password: !vault '[password 1]'\nlet token: &str = \"[secret 1]\""},
	{"values of YAML below their names", "db:\n  password: |\n    " + pw + "\n  user: mara2024\n- api_token: >-\n    " + plain + "\n\n    " + lower16 + "\n  name: lamps\n", "db:\n  password: |\n    [password 1]\n  user: mara2024\n- api_token: >-\n    [secret 1]\n\n    [secret 2]\n  name: lamps\n"},
	{"a list in a file that is shown", "secrets.yaml:\ntokens:\n  - " + lower16 + "\n  - lamp\n", "secrets.yaml:\ntokens:\n  - [secret 1]\n  - [secret 2]\n"},
	{"a list in a block of code", "Here is my secrets.yml:\n\n```yaml\nkeys:\n- \"lamp\"\n```\n", "Here is my secrets.yml:\n\n```yaml\nkeys:\n- \"[secret 1]\"\n```\n"},
	{"output below a command that prints a secret", "$ printenv API_TOKEN\n" + plain + "\n$ terraform output -raw db_password\n" + pw + "\n\nlater " + lower16, "$ printenv API_TOKEN\n[secret 1]\n$ terraform output -raw db_password\n[secret 2]\n\nlater " + lower16},
	{"JSON below a command that prints a secret", "~/src % aws ssm get-parameter --name a --with-decryption\n{\n  \"Parameter\": {\n    \"Name\": \"a\",\n    \"Value\": \"" + pw + "\"\n  }\n}\n", "~/src % aws ssm get-parameter --name a --with-decryption\n{\n  \"Parameter\": {\n    \"Name\": \"a\",\n    \"Value\": \"[secret 1]\"\n  }\n}\n"},
	{"answers to questions for a password", "[sudo] password for mara: " + pw + "\nEnter passphrase for key '/a/id_rsa': " + pw + "\nPassword for 'https://x.dev': " + plain + "\n", "[sudo] password for mara: [password 1]\nEnter passphrase for key '/a/id_rsa': [password 1]\nPassword for 'https://x.dev': [password 2]\n"},
	{"other answers to questions",
		"Enter passphrase (empty for no passphrase): " + pw + "\nEnter same passphrase again: " + pw + "\n" +
			"Enter pass phrase for a.key: " + pw + "\nEnter a secret value: " + pw + "\n" +
			"Unseal Key (will be hidden): " + plain + "\n? API key › " + plain + "\n" +
			"[sudo] password for mara: lampenlicht\nConfirm password: " + pw + "\n? Password [input is hidden] " + pw,
		"Enter passphrase (empty for no passphrase): [password 1]\nEnter same passphrase again: [password 1]\nEnter pass phrase for a.key: [password 1]\nEnter a secret value: [password 1]\n" +
			"Unseal Key (will be hidden): [secret 1]\n? API key › [secret 1]\n" +
			"[sudo] password for mara: [password 2]\nConfirm password: [password 1]\n? Password [input is hidden] [password 1]"},
	{"rows and lists of names and values", "| password | " + pw + " |\n| API token | `" + plain + "` |\npassword\t" + pw + "\ntoken," + plain + "\n- Password — " + pw + "\n  storePassword \"" + pw + "\"\n", "| password | [password 1] |\n| API token | `[secret 1]` |\npassword\t[password 1]\ntoken,[secret 1]\n- Password — [password 1]\n  storePassword \"[password 1]\"\n"},
	{"the registry of Windows", "    DefaultPassword    REG_SZ    " + pw + "\nreg add HKLM\\a /v Password /t REG_SZ /d " + pw + " /f", "    DefaultPassword    REG_SZ    [password 1]\nreg add HKLM\\a /v Password /t REG_SZ /d [password 1] /f"},
	{"Redis", "127.0.0.1:6379> AUTH app " + pw + "\nrequirepass " + pw + "\nredis-server --requirepass " + pw + "\nuser app on >" + pw + " ~* +@all", "127.0.0.1:6379> AUTH app [password 1]\nrequirepass [password 1]\nredis-server --requirepass [password 1]\nuser app on >[password 1] ~* +@all"},
	{"codes and sessions", "https://x.dev/a?code=" + plain + "&b=c {\"device_code\":\"" + plain + "\"} code_verifier=" + plain + "\nPHPSESSID=" + lower16 + "\nsecret_id    6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e\n\"totp\":\"" + plain + "\"", "https://x.dev/a?code=[secret 1]&b=c {\"device_code\":\"[secret 1]\"} code_verifier=[secret 1]\nPHPSESSID=[secret 2]\nsecret_id    [vault-secret-id 1]\n\"totp\":\"[secret 1]\""},
	{"a password that SQL sets", "SET PASSWORD FOR 'shop'@'%' = 'lampenlicht';", "SET PASSWORD FOR 'shop'@'%' = '[password 1]';"},
	{"items of PowerShell", "Set-Item Env:API_TOKEN -Value " + plain + "\nSet-Item -Path env:DB_PASSWORD -Value \"lampenlicht\"", "Set-Item Env:API_TOKEN -Value [secret 1]\nSet-Item -Path env:DB_PASSWORD -Value \"[password 1]\""},
	{"a mask of a job", "echo \"::add-mask::" + plain + "\"", "echo \"::add-mask::[password 1]\""},
	{"a script of expect", "expect \"user:\"\nsend \"mara22\\r\"\nexpect \"assword:\"\nsend -- \"lampenlicht\\r\"\nsend \"exit22\\r\"", "expect \"user:\"\nsend \"mara22\\r\"\nexpect \"assword:\"\nsend -- \"[password 1]\\r\"\nsend \"exit22\\r\""},
	{"a variable of terraform", "variable \"db_password\" {\n  type    = string\n  default = \"lampenlicht\"\n}", "variable \"db_password\" {\n  type    = string\n  default = \"[password 1]\"\n}"},
	{"lines that commands write to files", "echo \"SHOP=Lampen\" >> .env && echo 'FLOOR=Rosen' > .env\nprintf 'HALL=Rosen\\n' | tee -a .env\nx && echo a:1:b:c:lampen > ~/.pgpass", "echo \"SHOP=[secret 1]\" >> .env && echo 'FLOOR=[secret 2]' > .env\nprintf 'HALL=[secret 2]\\n' | tee -a .env\nx && echo a:1:b:c:[secret 3] > ~/.pgpass"},
	{"a document of Kubernetes in JSON", `{"a":"kind: Secret\ndata:\n  lamp: bGFtcA==\n  rose: cm9zZQ==\n"}`, `{"a":"kind: Secret\ndata:\n  lamp: [secret 1]\n  rose: [secret 2]\n"}`},
	{"an .env in JSON in JSON", `[{"a":"{\"b\":\"$ cat .env\\nSHOP=Lampen\\nHALL=Rosen\"}"}]`, `[{"a":"{\"b\":\"$ cat .env\\nSHOP=[secret 1]\\nHALL=[secret 2]\"}"}]`},
	{"a patch of an .env in JSON", `{"a":"--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-SHOP=Lampen\n+SHOP=Rosen\n"}`, `{"a":"--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-SHOP=[secret 1]\n+SHOP=[secret 2]\n"}`},
	{"private keys without their first line",
		"k: MC4CAQAwBQYDK2VwBCIEI" + fake(41, 43, base64Signs) + "\n" + `{"kty":"EC","d":"` + fake(42, 43, alnum) +
			"\"} <D>" + fake(43, 88, alnum) + "</D>",
		"k: [private-key 1]\n" + `{"kty":"EC","d":"[private-key 2]"} <D>[private-key 3]</D>`},
	{"passwords in addresses of drivers",
		"app:" + pw + "@tcp(db:3306)/shop jdbc:oracle:thin:app/" + pw + "@//db:1521/x",
		"app:[url-password 1]@tcp(db:3306)/shop jdbc:oracle:thin:app/[url-password 1]@//db:1521/x"},
	{"a pair of AWS keys in a table", aws + "," + awsKey + "\n", "[aws-access-token 1],[aws-secret-key 1]\n"},
	{"output below a command with filters", "$ kubectl get secret a -o json | jq -r .a | base64 -d\n" + pw + "\n", "$ kubectl get secret a -o json | jq -r .a | base64 -d\n[secret 1]\n"},
	{"output below a command that is written out", `{"a":"$ vault kv get secret/app\npassword    ` + pw + `\n"}`, `{"a":"$ vault kv get secret/app\npassword    [password 1]\n"}`},
	{"pairs of YAML", "  - name: DB_PASSWORD\n    value: " + pw + "\n  - value: \"" + plain + "\"\n    name: API_TOKEN\n  - name: A\n    value: " + lower16 + "\nTOKEN:\n  value: \"" + plain + "\"\n", "  - name: DB_PASSWORD\n    value: [password 1]\n  - value: \"[secret 1]\"\n    name: API_TOKEN\n  - name: A\n    value: " + lower16 + "\nTOKEN:\n  value: \"[secret 1]\"\n"},
	{"pairs of YAML in lines that a program printed", "a-1 | 10:21 - name: DB_PASSWORD\na-1 | 10:22   value: " + pw, "a-1 | 10:21 - name: DB_PASSWORD\na-1 | 10:22   value: [password 1]"},
	{"pairs of YAML that are written out", `{"a":"- name: DB_PASSWORD\n  value: ` + pw + `\n"}`, `{"a":"- name: DB_PASSWORD\n  value: [password 1]\n"}`},
	{"pairs of JSON, in any order", "7\t{\"name\": \"authorization\",\n8\t\"value\": \"Bearer " + plain + "\"}\n{\"value\": \"" + pw + "\", \"key\": \"password\"}", "7\t{\"name\": \"authorization\",\n8\t\"value\": \"Bearer [authorization 1]\"}\n{\"value\": \"[password 1]\", \"key\": \"password\"}"},
	{"pairs of XML", "<key>password</key>\n<string>" + pw + "</string><Password>\n  <Value>" + pw + "</Value>", "<key>password</key>\n<string>[password 1]</string><Password>\n  <Value>[password 1]</Value>"},
	{"values that are marked as secrets", "{\"lamp\": {\n  \"value\": \"" + pw + "\",\n  \"sensitive\": true}, \"b\": {\"value\": \"kept12roses\", \"sensitive\": false}}" + `{\"type\":\"CONCEALED\",\"value\":\"` + pw + `\"}{"sensitive":true,"value":["` + lower16 + `"]}`, "{\"lamp\": {\n  \"value\": \"[secret 1]\",\n  \"sensitive\": true}, \"b\": {\"value\": \"kept12roses\", \"sensitive\": false}}" + `{\"type\":\"CONCEALED\",\"value\":\"[secret 1]\"}{"sensitive":true,"value":["[secret 2]"]}`},
	{"characters that are written out", "https://x.dev/?to=%2Fa%3Ftoken%3D" + plain + "%26b%3Dc&d=e %253Fapi_key%253D" + plain + " &lt;password&gt;" + pw + "&lt;/password&gt; &amp;lt;apiKey&amp;gt;" + plain + "&amp;lt;" + `{"a":"\u003cpassword\u003eb\u0026` + pw + `\u003c"}`, "https://x.dev/?to=%2Fa%3Ftoken%3D[secret 1]%26b%3Dc&d=e %253Fapi_key%253D[secret 1] &lt;password&gt;[password 1]&lt;/password&gt; &amp;lt;apiKey&amp;gt;[secret 1]&amp;lt;" + `{"a":"\u003cpassword\u003e[password 2]\u003c"}`},
	{"a default of an option", `add_argument("--api-token", default="` + plain + `")`, `add_argument("--api-token", default="[secret 1]")`},
	{"a header", "Authorization: Bearer " + plain, "Authorization: Bearer [authorization 1]"},
	{"a header in a command", `curl -H "Authorization: Bearer ` + plain + `" https://x.dev`, `curl -H "Authorization: Bearer [authorization 1]" https://x.dev`},
	{"basic", "authorization: Basic bWFyYTpsYW50ZXJuIQ==", "authorization: Basic [authorization 1]"},
	{"bearer alone", "sent Bearer " + plain + " to it", "sent Bearer [authorization 1] to it"},
	{"a header in code", `headers: {"Authorization": "token ` + plain + `"}`, `headers: {"Authorization": "token [authorization 1]"}`},
	{"a cookie", "Cookie: theme=dark; session=" + plain + "; lang=en", "Cookie: theme=dark; session=[cookie 1]; lang=en"},
	{"a cookie that is set", "Set-Cookie: sid=" + plain + "; Path=/; HttpOnly", "Set-Cookie: sid=[cookie 1]; Path=/; HttpOnly"},
	{"a header with a key", "X-Api-Key: " + plain, "X-Api-Key: [secret 1]"},

	{"a private key", fakeKey(1, 3), "[private-key 1]\n\n\n\n\n"},
	{"two keys, one twice", fakeKey(1, 2) + fakeKey(2, 2) + fakeKey(1, 2), "[private-key 1]\n\n\n\n[private-key 2]\n\n\n\n[private-key 1]\n\n\n\n"},
	{"a key on one line", "KEY='" + strings.ReplaceAll(fakeKey(1, 3), "\n", `\n`) + "'", "KEY='[private-key 1]\\n'"},
	{"a key escaped twice", strings.ReplaceAll(fakeKey(1, 3), "\n", `\\n`), `[private-key 1]\\n`},
	{"a key with numbered lines", lineNumbers(fakeKey(1, 2)), "     1→[private-key 1]\n     2→\n     3→\n     4→\n"},
	{"a key in a patch", prefixed(fakeKey(1, 2), "+"), "+[private-key 1]\n+\n+\n+\n"},
	{"a short key", keyLines("ab+3") + keyLines("hunter 2, said Mara!") + "and said", "[private-key 1]\n\n\n[private-key 2]\n\n\nand said"},
	{"a short key on one line", "a -----BEGIN " + "PRIVATE KEY----- x1 -----END " + "PRIVATE KEY----- b", "a [private-key 1] b"},
	{"a short key after text about keys", "-----BEGIN " + "PRIVATE KEY----- begins it.\n" + keyLines("ab+3"), "-----BEGIN " + "PRIVATE KEY----- begins it.\n[private-key 1]\n\n\n"},
	{"two keys on one line", "-----BEGIN " + "PRIVATE KEY-----ab-----END " + "PRIVATE KEY----- and -----BEGIN " + "PRIVATE KEY-----cd-----END " + "PRIVATE KEY-----", "[private-key 1] and [private-key 2]"},
	{"a key of a header", keyLines("Comment: hunter2"), "[private-key 1]\n\n\n"},
	{"a key of nothing", keyLines(""), keyLines("")},
	{"a key that is cut off", fakeKey(1, 3)[:150] + "\nand so on", "[private-key 1]\n\n\nand so on"},
	{"a key in code", "key := \"-----BEGIN " + "PRIVATE KEY-----\\n\" +\n\t\"" + fake(20, 64, base64Signs) + "\\n\" +\n\t\"-----END " + "PRIVATE KEY-----\"", "key := \"[private-key 1]\\n\" +\n\t\"\\n\" +\n\t\"\""},

	{"a home folder", "/home/mara/src and /Users/mara and C:\\Users\\Mara Lind\\src", "~/src and ~ and ~\\src"},
	{"a home folder with a space",
		`/c/Users/Mara\ Lind/x "/Users/mara\\ lind" file:///C:/Users/Mara%20Ann%20Lind/x`,
		`~/x "~" file:///~/x`},
	{"a home folder before a space", `/home/mara\ /home/mara%20, C:\Users\mara\ here`, `~\ ~%20, ~\ here`},
	{"values of a list",
		`"api_keys": ["` + plain + `", '` + plain + `'], passwords = ["` + pw + `"] and "keys": ["a", "lamp"]` + "\nsecret: [\n  \"" + pw + "\",\n]",
		`"api_keys": ["[secret 1]", '[secret 1]'], passwords = ["[password 1]"] and "keys": ["a", "lamp"]` + "\nsecret: [\n  \"[password 1]\",\n]"},
	{"lines of .pgpass with other ports", "db.corp:6543:lamp:mara:" + pw + "\n*:*:*:mara:" + pw + "\narn:aws:s3:*:*:mara:" + plain, "db.corp:6543:lamp:mara:[secret 1]\n*:*:*:mara:[secret 1]\narn:aws:s3:*:*:mara:" + plain},
	{"settings of heroku", "heroku config:set -a lamp SECRET_TOKEN=lampen3y API_KEY='lampen4z' LAMP=three5x", "heroku config:set -a lamp SECRET_TOKEN=[password 1] API_KEY='[password 2]' LAMP=three5x"},
	{"a line with its number at the beginning", "12:API_TOKEN=" + plain + "\n7:token", "12:API_TOKEN=[secret 1]\n7:token"},
	{"a home folder with a domain", `/home/CORP\mara/x "/home/corp\\mara" /home/mara@corp.local/x /home/CORP\nora.`, `~/x "~" ~/x ~.`},
	{"a home folder before an escape", `/home/mara\nnext /home/mara\tx /home/mara\; /home/mara@{1} /home/mara@`, `~\nnext ~\tx ~\; ~@{1} ~@`},
	{"a home folder with an apostrophe",
		`/Users/o'neil/x '/Users/o'\''neil/x' C:\Users\o'neil\x file:///Users/o%27neil/x '/home/mara's x '/home/a','b'`,
		`~/x '~/x' ~\x file://~/x '~'s x '/home/a','b'`},
	{"a short name of Windows", `C:\Users\MARALI~1\x C:/Users/MARALI~2.COR/x`, `~\x ~/x`},
	{"a home folder with encoded letters",
		`file:///home/ren%C3%A9/x ?f=%2FUsers%2FMara%20Lind%2Fx&q=%2Fhome%2Fmara%20and C%3A%5CUsers%5CMARALI~1%5Cx`,
		`file://~/x ?f=~%2Fx&q=~%20and ~%5Cx`},
	{"a home folder on a server", `\\server\Users\mara\x "\\\\nas01\\c$\\Users\\mara" "\\src\\Users\\mara"`, `~\x "~" "\\src\\Users\\mara"`},
	{"no home folder with a domain", `/home/user@host/x /home/$USER\mara`, `/home/user@host/x /home/$USER\mara`},
	{"a home folder at other places", "/mnt/c/Users/mara/x file:///home/mara/x C:/Users/mara/x /c/Users/mara/x", "~/x file://~/x ~/x ~/x"},
	{"the name of a project's folder", "~/.claude/projects/-home-mara-src/a.jsonl C--Users-mara-src", "~/.claude/projects/~-src/a.jsonl ~-src"},
	{"no home folder", "src/home/page.tsx https://x.dev/home/mara /home/$USER/x /home/<you> /Users/Shared /home/*/x", "src/home/page.tsx https://x.dev/home/mara /home/$USER/x /home/<you> /Users/Shared /home/*/x"},
	{"an address", "Mara Lind <mara.lind@lampen.dev>, mara@lampen.dev.", "Mara Lind <[email 1]>, [email 2]."},
	{"no address", "noreply@anthropic.com git@github.com:a/b.git you@example.com logo@2x.png actions/checkout@v4 x@types/node@20.1.0 @app.route('/') pkg@1.2.3-rc.io", "noreply@anthropic.com git@github.com:a/b.git you@example.com logo@2x.png actions/checkout@v4 x@types/node@20.1.0 @app.route('/') pkg@1.2.3-rc.io"},
	{"an address of any domain", "mara@lampen.md, rené@lämpen.de, «mara@acme.com», mara@x.com, mara@пример.рф…, ?m=mara%40lampen.sh&a", "[email 1], [email 2], «[email 3]», [email 4], [email 5]…, ?m=[email 6]&a"},
	{"home folders elsewhere", `\\wsl.localhost\Ubuntu\home\mara\src ?f=%2Fhome%2Fmara%2Fa C%3A%5CUsers%5Cmara vscode-remote://wsl+u/home/mara/a ~mara/b @/home/mara/c` + "\n-home-mara-src\n", `~\src ?f=~%2Fa ~ vscode-remote://wsl+u~/a ~mara/b @~/c` + "\n~-src\n"},
	{"users of ssh", "ssh -p 22 mara@lantern; scp a jonas@10.0.0.7:b; ssh git@github", "ssh -p 22 [user 1]@[host 1]; scp a [user 2]@[host 2]:b; ssh git@github"},
	{"prompts in colours", "\x1b]0;mara@lantern: ~\x07\x1b[01;32mmara@lantern\x1b[00m:\x1b[01;34m~/src\x1b[00m$ ls\n[01;32mmara@lantern[00m:[01;34m~[00m$ ls", "\x1b]0;[user 1]@[host 1]: ~\x07\x1b[01;32m[user 1]@[host 1]\x1b[00m:\x1b[01;34m~/src\x1b[00m$ ls\n[01;32m[user 1]@[host 1][00m:[01;34m~[00m$ ls"},
	{"other prompts", "mara@LANTERN MINGW64 ~/src (main)\n$ ls\n┌──(mara㉿kali)-[~]\nuid=1000(mara) gid=1000(mara) groups=1000(mara),27(sudo)", "[user 1]@[host 1] MINGW64 ~/src (main)\n$ ls\n┌──([user 1]㉿[host 2])-[~]\nuid=1000([user 1]) gid=1000([user 1]) groups=1000([user 1]),27(sudo)"},
	{"ids of organizations", `"org_id": "6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e", organization_id=org-` + plain, `"org_id": "[account 1]", organization_id=[account 2]`},
	{"a prompt", "deploy@lantern-07:~/app$ ls\n[root@3f2a app]# ls\n", "deploy@[host 1]:~/app$ ls\n[root@[host 2] app]# ls\n"},
	{"the name of a machine", "Maras-MacBook-Pro.local DESKTOP-4F7K2QX", "[host 1] [host 2]"},
	{"ids of an account", `"accountUuid": "6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e"`, `"accountUuid": "[account 1]"`},
}

func lineNumbers(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		b.WriteString("     " + string(rune('0'+n)) + "→" + line)
	}
	return b.String()
}

func prefixed(text, prefix string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(prefix + line)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			s := newSession(t, Options{})
			got := s.Text(c.in)
			if got != c.want {
				t.Errorf("in   %q\ngot  %q\nwant %q", c.in, got, c.want)
			}
			if again := s.Text(got); again != got {
				t.Errorf("redacted again\ngot  %q\nwant %q", again, got)
			}
			if fresh := newSession(t, Options{}).Text(got); fresh != got {
				t.Errorf("redacted again in another session\ngot  %q\nwant %q", fresh, got)
			}
			if n := strings.Count(got, "\n"); n != strings.Count(c.in, "\n") {
				t.Errorf("got %d lines, want %d", n, strings.Count(c.in, "\n"))
			}
		})
	}
}

// kept are texts that look like secrets but are not.
var kept = []string{
	"commit 3f786850e387550fdab836ed7e6dc881de23001b",
	"key: 3f786850e387550fdab836ed7e6dc881de23001b",
	"cacheKey = \"6be6ef01-0c1b-4a7e-9d0a-5f1c2b3a4d5e\"",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	`"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DQNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="`,
	"github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=",
	"claude-sonnet-4-5-20250929", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
	"API_KEY=your-api-key", "export TOKEN=${GITHUB_TOKEN}", "token: <your token>", "password: xxxxxxxx",
	"SECRET_KEY=changeme",
	"apiKey: process.env.API_KEY,", "password = os.environ[\"DB_PASSWORD\"]", "token := r.Header.Get(\"X-Token\")",
	"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-api03-...", "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx",
	"toolu_01AbCdEfGhIjKlMnOpQrStUv msg_01XyZaBcDeFgHiJkLmNoPqRs req_011CSHoEeqs5C35K2UUqR7Fy",
	"{\"input_tokens\":4,\"cache_creation_input_tokens\":320}", "max_tokens: 4096, next_page_token: \"CAESBgoEMTIzNA\"",
	"password: string;", "type Secret struct {", "The password is checked by isPassword2FA.",
	"keyboard: KeyboardEvent2",
	"postgres://postgres:postgres@localhost:5432/app", "https://user:password@example.com",
	"redis://:${REDIS_PASSWORD}@cache:6379",
	"Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: `Bearer ${token}`", "Cookie: a=b",
	"the cookie: it is a cookie",
	"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
	"if strings.Contains(s, \"-----BEGIN RSA " + "PRIVATE KEY-----\") {\n\treturn errors.New(\"a key\")\n}",
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx1bmF0aWNzb25hYmlrZWlubG9uZG9u",
	"key := byteorder.BEUint64(keyBytes)", "secretValue = 0x53c237_53c237", "PublicKeyToken=31bf3856ad364e35",
	"const SECRET_NAME = \"prod/db/credentials\"", "tokenUrl: https://auth.example.com/oauth2/v2/token",
	"--- PASS: TestPasswordReset2 (0.00s)", "pass: 142, fail: 3", "{hexKey: hexPKCS8TestECKey, errorContains: \"x\"}",
	"v.dot(W@x.transpose())", "keyframes fadeIn2 { from { opacity: 0 } }", "secret \u3299\ufe0f",
	`password: "password", secret = "string", token == "quoted string", {"password": "your-password"}, 'password': 'Passwort'`,
	"password = getpass()", "secret = keypair[:32]", "PASSWORD = Errno(169)", "private_key: ed25519.Ed25519PrivateKey",
	"token = self.next_token", "password: str, secret: Option<String>",
	`"AWS::ApiGateway::ApiKey": "48205d4ffd7feba3"`, `"arn:aws:secretsmanager:*:*:secret:s2svpn!*"`,
	`r"(?P<password>[^\s/]*)"`, "url.UserPassword(\"alad9din!\", pass)",
	`"password", "non-default argument follows default argument"`, `password="must be at least six characters"`,
	"STENCIL_PASS: 0x0B96;", "token:e??t.token,next:1",
	"mysql -p shop", "curl", "htpasswd", "zip -", "sudo -", "sudo -S", "| chpasswd", "net use", "sshpass -p '",
	"curl -u \\", "%40", "㉿a", "uid=1", "%2fhome%2f", "-home-", "org-a", "mysql -u app -p\" + password",
	"sshpass -p \"$PASS\" ssh a", "docker login -p ${TOKEN}", "sudo -S is read from", "vault login with your token",
	"openssl req -newkey rsa:2048 -keyout test.key", "curl -u user:password https://x.dev",
	"docker run -p 8080:8080 app", "htpasswd -c .users mara", "net user mara", "unzip -p a.zip b.txt",
	"`cargo login` takes the token from crates.io", "set -x DEBUG true", "echo $PASSWORD | sudo -S id",
	"printf '%s' \"$T\" | docker login --password-stdin", "ldapsearch -x -s base -b dc=lampen",
	"over http", "use mysql", "curl", "process.env\nPORT=3000 is read", "see .env for PORT=3000",
	"cp .env.example .env\nmake dev=1", "SHOP=Lampen\nPORT=3000\nNAME=shop",
	"1:TOKEY",
	"import Hero from '@/home/hero'", "java -home-dir x", "git diff HEAD@{1}", "actions/setup-go@v5.0.1",
	"the org-chart of org-mode", "getty@tty1.service", "rsync -a a/ b@/c", "uid=0(root) gid=0(root)",
	"TypeError: Cannot read properties of undefined (reading 'token')",
	"$ printenv API_TOKEN > a\n" + plain, "$ A=$(openssl rand -hex 9)\n" + plain, "# openssl rand -hex 9\n" + plain,
	"$ printenv HOME\n" + plain, "see terraform output\n" + plain,
	"Copy this to the .env file:\n\n```\nURL=https://x.dev/v1\n```\n",
	"echo \"SHOP=$SHOP\" >> .env", "echo SHOP=Lampen >> .env.example", "echo SHOP=Lampen | grep a .env",
	"echo \"::add-mask::$TOKEN\"", "::add-mask::${{ steps.a.outputs.token }}", "core.info(`::add-mask::${value22}`)",
	"expect \"assword:\"\nsend \"$password\\r\"", "send \"lampen22\\r\"", "the password for mara is: here",
	"variable \"token\" {\n  default = \"\"\n}\nvariable \"a\" {\n  default = \"lampen22\"\n}",
	"variable \"password\" {\n  type = string\n}\nvariable \"a\" {\n  default = \"lampen22\"\n}",
	`{"file":".env","text":"SHOP=Lampen\nHALL=Rosen\n"}`, `const a = {"b": ".env\nSHOP=Lampen\n"}`,
	"- name: DB_PASSWORD\n- name: a\n  value: lampen22roses33",
	"- value: lampen22roses33\n- name: DB_PASSWORD\n", "<a>password</a>\n</b>lamps22roses",
	"the password\nvalue of lamps22",
	"identified by `parent`", "Seed is a list of seed values added by the fuzz target with testing",
	"apt\tpasswd\t1:4.13+dfsg1",
	"| password | string | at least 12 characters |", "password - the password of the account", "exit code=12345678",
	"a?code=7&b=c",
	"password (see chapter 22): the words", "token (JWT): a string", "secret_id: prod/lamps",
	"$ pwgen 12 | sha256sum\n" + plain, "<path d=\"M12\">", "app:password@tcp(db:3306)/shop",
	"MIIDdzCCAl+gAwIBAgIEAgAAuT",
	"password: !secret mqtt_pass22", "password: !Ref DbPass22", "password: &", "password: &db\n  lamps22roses33",
	"fly secrets set NODE_ENV=production", "pulumi config set aws:region eu-west-2",
	"aws ssm put-parameter --type String --value eu-west-2", "ssh -L 127.0.0.1:5432:db:5432 a",
	"the machine login needs a password today22", "prime1: 00:c1:3a:9c:22:b4:d9:0a:ef:7d:1c:84:be:02:90:ab",
	"Backup codes:\nsee chapter 22\nand chapter 23\nand 24\nand 25",
	"Recovery codes\nstep22 is first\nstep23\nstep24\nstep25",
	`{"name": "theme", "value": "dark", "httpOnly": true}`, "res.cookie('a', lamps, {httpOnly: true})",
	"machine lampen.dev login mara password PASSWORD", "db:5432:shop:app:$PASSWORD",
	"x.dev\tTRUE\t/a\tlamps22roses33", "Private-Lines: 14 is a header",
	"password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  " + sum64 + "\nsalt: >\n  two lamps, 3 roses",
}

func TestKept(t *testing.T) {
	for _, text := range kept {
		if got := newSession(t, Options{}).Text(text); got != text {
			t.Errorf("changed, want it unchanged\nin  %q\ngot %q", text, got)
		}
	}
}

// keyLines returns the lines of a private key that contains a text.
func keyLines(text string) string {
	return "-----BEGIN " + "PRIVATE KEY-----\n" + text + "\n-----END " + "PRIVATE KEY-----\n"
}
