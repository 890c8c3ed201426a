package secretgen

import (
	"math/rand/v2"
	"strings"
)

// commands are command lines with a password or a key, {v}, according to the manuals of their programs. One that begins
// with a name and a space runs in a shell.
var commands = []string{
	"sshpass -p {v} ssh ops@lampen.dev uptime",
	"sshpass -p{v} scp a.txt ops@lampen.dev:/srv/",
	"rsync -e \"sshpass -p {v} ssh\" a/ b/",
	"mysql -h db.local -u app -p{v} shop -e 'select 1'",
	"mysqldump -uapp -p{v} --single-transaction shop > shop.sql",
	"mysqladmin -p{v} status",
	"docker exec -i db mysql -uroot -p{v} < dump.sql",
	"mariadb -u app -p{v} shop",
	"redis-cli -h cache.local -a {v} ping",
	"redis-cli --pass {v} info",
	"mongosh mongodb.local/shop -u app -p {v}",
	"mongodump --host db.local -u app -p {v} --out dump/",
	"docker login -u app -p {v} registry.lampen.dev",
	"podman login registry.lampen.dev --username app -p {v}",
	"helm registry login -u app -p {v} registry.lampen.dev",
	"skopeo copy --src-creds app:{v} docker://a docker://b",
	"oc login -u app -p {v} https://api.lampen.dev:6443",
	"az login --service-principal -u app -p {v} --tenant t",
	"curl -u app:{v} https://api.lampen.dev",
	"curl -sSu app:{v} https://api.lampen.dev",
	"curl -fsSLu app:{v} -o out https://api.lampen.dev",
	"curl -X POST --user app:{v} https://api.lampen.dev",
	"curl --user=app:{v} https://api.lampen.dev",
	"curl --proxy-user app:{v} https://api.lampen.dev",
	"curl -U app:{v} -x proxy:3128 https://api.lampen.dev",
	"http -a app:{v} GET api.lampen.dev/items",
	"https --auth app:{v} api.lampen.dev/items",
	"http --auth=app:{v} api.lampen.dev/items",
	"xh -a app:{v} api.lampen.dev",
	"wget --user app --password {v} https://lampen.dev/a",
	"wget --http-password={v} https://lampen.dev/a",
	"zip -r -P {v} out.zip docs/",
	"unzip -P {v} out.zip",
	"7z a -p{v} out.7z docs/",
	"rar a -hp{v} out.rar docs/",
	"htpasswd -b /etc/nginx/passwd mara {v}",
	"htpasswd -cbB .users mara {v}",
	"htpasswd -nb mara {v}",
	"keytool -genkey -alias app -storepass {v} -keystore app.jks",
	"keytool -list -keypass {v} -keystore app.jks",
	"jarsigner -keystore app.jks -storepass {v} app.jar app",
	"apksigner sign --ks app.jks --ks-pass pass:{v} app.apk",
	"openssl enc -aes-256-cbc -pass pass:{v} -in a -out b",
	"openssl rsa -in key.pem -passin pass:{v} -out plain.pem",
	"openssl pkcs12 -export -passout pass:{v} -out a.p12",
	"openssl enc -d -k {v} -in a",
	"gpg --batch --passphrase {v} -c a.txt",
	"ldapsearch -x -D cn=admin,dc=lampen,dc=dev -w {v} -b dc=lampen",
	"ldapmodify -D cn=admin -w {v} -f a.ldif",
	"ldappasswd -s {v} -D cn=admin uid=mara",
	"setx API_TOKEN {v}",
	"setx DB_PASSWORD {v} /m",
	"set -gx API_TOKEN {v}",
	"set -Ux DB_PASSWORD {v}",
	"npm config set //registry.npmjs.org/:_authToken {v}",
	"npm config set //npm.lampen.dev/:_authToken={v}",
	"npm config set _password {v}",
	"aws configure set aws_secret_access_key {v}",
	"aws configure set aws_session_token {v} --profile app",
	"ConvertTo-SecureString {v} -AsPlainText -Force",
	"$p = ConvertTo-SecureString -String {v} -AsPlainText -Force",
	"echo {v} | sudo -S apt-get update",
	"printf {v} | sudo -S -v",
	"sudo -S ls <<< {v}",
	"echo {v} | docker login -u app --password-stdin",
	"echo {v} | gh auth login --with-token",
	"gh auth login --with-token <<< {v}",
	"echo app:{v} | chpasswd",
	"echo {v} | passwd --stdin mara",
	"sqlcmd -S db.local -U sa -P {v} -Q 'select 1'",
	"sqlplus app/{v}@db.local",
	"mosquitto_pub -h mq.local -u app -P {v} -t a -m b",
	"smbclient //nas/share -U mara%{v}",
	"net use z: \\\\nas\\share {v} /user:mara",
	"net user mara {v} /add",
	"cmdkey /add:nas /user:mara /pass:{v}",
	"xfreerdp /v:host /u:mara /p:{v}",
	"lftp -u mara,{v} sftp://lampen.dev",
	"mc alias set store https://s3.lampen.dev app {v}",
	"rabbitmqctl add_user app {v}",
	"rabbitmqctl change_password app {v}",
	"plink -ssh -pw {v} ops@lampen.dev",
	"ipmitool -H bmc.local -U admin -P {v} power status",
	"vault login {v}",
	"vault kv put secret/app value={v}",
	"kubectl create secret generic app --from-literal=value={v}",
	"gh secret set DEPLOY --body {v}",
	"cargo login {v}",
	"twine upload -u __token__ -p {v} dist/*",
	"poetry config pypi-token.pypi {v}",
	"poetry config http-basic.lampen app {v}",
	"composer config http-basic.lampen.dev app {v}",
	"dotnet nuget push a.nupkg -k {v} -s https://nuget.lampen.dev",
	"dotnet user-secrets set Db:Pass {v}",
	"git clone https://app:{v}@git.lampen.dev/a.git",
	"security add-generic-password -a mara -s app -w {v}",
	"nmcli dev wifi connect lampen password {v}",
	"wpa_passphrase lampen {v}",
	"snmpwalk -v3 -u mara -A {v} host",
	"fly secrets set LAMP={v}",
	"supabase secrets set LAMP={v}",
	"pulumi config set --secret shop:lamp {v}",
	"aws ssm put-parameter --type SecureString --name /shop/lamp --value {v}",
	"az keyvault secret set --vault-name shop --name lamp --value {v}",
	"echo -n {v} | gcloud secrets create lamp --data-file=-",
	"eas secret:create --name LAMP --value {v}",
	"ansible-vault encrypt_string {v} --name lamp",
	"cypher-shell -a bolt://db.local -u neo4j -p {v}",
	"neo4j-admin dbms set-initial-password {v}",
	"rabbitmqadmin -u app -p {v} list queues",
	"couchbase-cli bucket-list -c db.local -u app -p {v}",
	"cf login -a https://api.lampen.dev -u app -p {v}",
	"etcdctl --user root:{v} get a",
	"java -jar jenkins-cli.jar -s https://ci.lampen.dev -auth app:{v} build a",
	"ngrok config add-authtoken {v}",
	"cloudflared service install {v}",
	"bw unlock {v}",
	"security set-key-partition-list -S apple-tool: -s -k {v} login.keychain",
	"echo {v} | kinit mara",
	"mssql-cli -S db.local -U sa -P {v}",
}

// quotings are the ways to quote an argument with a value, and the characters that the value may not have then.
var quotings = []struct {
	name   string
	quote  string
	refuse string
}{
	{"bare", "", bare},
	{"single quotes", "'", "'\\"},
	{"double quotes", `"`, "\"\\$`!"},
}

// commandPlaces are the places of a command line. {c} is the command.
var commandPlaces = []struct {
	name, text string
	escape     func(string) string
}{
	{"alone", "{c}", nil},
	{"a prompt", "$ {c}\nok\n", nil},
	{"a script", "#!/bin/sh\nset -e\n{c}\necho done\n", nil},
	{"behind another", "cd /srv/app && {c} && echo done", nil},
	{"a block of code", "Run:\n\n```sh\n{c}\n```\n", nil},
	{"JSON", `{"scripts": {"deploy": "{c}"}}`, inJSON},
	{"a script of CI", "steps:\n  - run: {c}\n  - run: make\n", nil},
	{"over ssh", "ssh ops@lampen.dev \"{c}\"", inJSON},
}

// commandClasses returns the classes of passwords and keys on command lines.
func commandClasses() []Class {
	var random16, people []kind
	for _, c := range commands {
		random16 = append(random16, inCommand(c, func(d *rand.Rand) string {
			return random(d, []int{12, 16, 20, 24, 32, 40}[d.IntN(6)],
				[]string{alnum, letters, hexa, symbols, urlSafe}[d.IntN(5)])
		}))
		people = append(people, inCommand(c, func(d *rand.Rand) string { return human[d.IntN(len(human))].of(d) }))
	}
	return []Class{
		{"random values in commands", true, random16},
		{"passwords of people in commands", true, people},
	}
}

// inCommand returns the kind of a command in all places and with all ways of quoting.
func inCommand(command string, value func(*rand.Rand) string) kind {
	return kind{command, func(rng *rand.Rand) []Sample {
		var all []Sample
		for _, sh := range quotings {
			for _, place := range commandPlaces {
				for range 20 {
					v := value(rng)
					if strings.ContainsAny(v, sh.refuse) || v[0] == '-' || strings.Contains(command, "://app:") &&
						strings.ContainsAny(v, "/?#%@:") {
						continue
					}
					line := quoted(command, v, sh.quote)
					if place.escape != nil {
						line = place.escape(line)
					}
					all = append(all, of(rng, place.name+", "+sh.name, strings.ReplaceAll(place.text, "{c}", line), v))
					break
				}
			}
		}
		return all
	}}
}

// quoted puts a value into a command, with quotes around its argument or, if the value follows a flag of one letter,
// around the value.
func quoted(command, v, quote string) string {
	at := strings.Index(command, "{v}")
	start := 1 + strings.LastIndexByte(command[:at], ' ')
	if arg := command[start:at]; strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, `"`) {
		start = at
	}
	end := at + len("{v}")
	if n := strings.IndexByte(command[end:], ' '); n >= 0 {
		end += n
	} else {
		end = len(command)
	}
	return command[:start] + quote + strings.Replace(command[start:end], "{v}", v, 1) + quote + command[end:]
}
