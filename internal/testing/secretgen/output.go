package secretgen

import (
	b64 "encoding/base64"
	"math/rand/v2"
	"strings"
)

// outputs are outputs of tools that store secrets. {v} is a secret, {e} its base64.
var outputs = []struct{ name, command, text string }{
	{"terraform output", "terraform output", "db_host = \"db.local\"\ndb_password = \"{v}\"\n"},
	{"terraform output -json", "terraform output -json", "{\n  \"db_password\": {\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"{v}\"\n  }\n}\n"},
	{"terraform output -json, one line", "terraform output -json", `{"db_password":{"sensitive":true,"type":"string","value":"{v}"}}` + "\n"},
	{"terraform output -raw", "terraform output -raw db_password", "{v}"},
	{"terraform plan", "terraform plan", "  # aws_db_instance.x will be updated\n  ~ resource \"aws_db_instance\" \"x\" {\n      ~ password = \"{v}\" -> (known after apply)\n        # (3 unchanged)\n    }\n"},
	{"terraform plan, added", "terraform plan", "      + master_password                = \"{v}\"\n"},
	{"terraform state", "terraform state pull", "\"attributes\": {\n  \"address\": \"db\",\n  \"password\": \"{v}\",\n"},
	{"aws ssm", "aws ssm get-parameter --name /prod/db/password --with-decryption", "{\n    \"Parameter\": {\n        \"Name\": \"/prod/db/password\",\n        \"Type\": \"SecureString\",\n        \"Value\": \"{v}\",\n        \"Version\": 3\n    }\n}\n"},
	{"aws ssm, text", "aws ssm get-parameters-by-path --path /prod --output text", "PARAMETERS\tarn:aws:ssm:eu-west-1:1:parameter/prod/db/password\ttext\t1700000000.1\t/prod/db/password\tSecureString\t{v}\t3\n"},
	{"aws ssm, value", "aws ssm get-parameter --name /prod/db/x --query Parameter.Value --output text", "{v}\n"},
	{"aws secretsmanager", "aws secretsmanager get-secret-value --secret-id prod/db", "{\n    \"Name\": \"prod/db\",\n    \"SecretString\": \"{\\\"username\\\":\\\"app\\\",\\\"password\\\":\\\"{v}\\\"}\"\n}\n"},
	{"aws secretsmanager, text", "aws secretsmanager get-secret-value --secret-id prod/x --query SecretString --output text", "{v}\n"},
	{"aws sts", "aws sts get-session-token", "{\"Credentials\":{\"AccessKeyId\":\"ASIAQQQQQQQQQQQQQQQQ\",\"SecretAccessKey\":\"{v}\",\"Expiration\":\"2026-05-04T10:11:12Z\"}}\n"},
	{"kubectl, YAML", "kubectl get secret shop -o yaml", "apiVersion: v1\ndata:\n  first: {e}\nkind: Secret\nmetadata:\n  name: shop\n"},
	{"kubectl, JSON", "kubectl get secret shop -o json", "{\n    \"apiVersion\": \"v1\",\n    \"data\": {\n        \"first\": \"{e}\"\n    },\n    \"kind\": \"Secret\"\n}\n"},
	{"kubectl, JSON in one line", "kubectl get secret shop -o json | jq -c .", `{"apiVersion":"v1","data":{"first":"{e}","more":"e30="},"kind":"Secret","metadata":{"name":"shop"}}` + "\n"},
	{"kubectl, jsonpath", "kubectl get secret shop -o jsonpath='{.data.first}'", "{e}"},
	{"kubectl, decoded", "kubectl get secret shop -o jsonpath='{.data.first}' | base64 -d", "{v}"},
	{"kubectl, map", "kubectl get secret shop -o jsonpath='{.data}'", `{"first":"{e}","second":"e30="}`},
	{"kubectl, go template", "kubectl get secret shop -o go-template='{{range $k,$v := .data}}{{$k}}: {{$v|base64decode}}{{end}}'", "first: {v}\n"},
	{"gcloud secrets", "gcloud secrets versions access latest --secret=shop", "{v}"},
	{"gcloud token", "gcloud auth print-access-token", "{v}\n"},
	{"az keyvault", "az keyvault secret show --vault-name x --name shop", "{\n  \"name\": \"shop\",\n  \"id\": \"https://x.vault.azure.net/secrets/shop\",\n  \"value\": \"{v}\"\n}\n"},
	{"az keyvault, text", "az keyvault secret show --vault-name x --name shop --query value -o tsv", "{v}\n"},
	{"vault", "vault kv get -field=first secret/shop", "{v}"},
	{"vault, table", "vault kv get secret/shop", "====== Data ======\nKey         Value\n---         -----\npassword    {v}\n"},
	{"heroku", "heroku config", "=== shop Config Vars\n\nAPI_TOKEN:    {v}\nLANG:         en\n"},
	{"heroku, one", "heroku config:get SHOP", "{v}\n"},
	{"doppler", "doppler secrets get SHOP --plain", "{v}\n"},
	{"1Password", "op read op://shop/db/field", "{v}\n"},
	{"pass", "pass show shop/db", "{v}\n"},
	{"keychain", "security find-generic-password -s shop -w", "{v}\n"},
	{"gh", "gh auth token", "{v}\n"},
	{"printenv", "printenv SHOP_TOKEN", "{v}\n"},
	{"aws configure get", "aws configure get aws_secret_access_key", "{v}\n"},
	{"echo", "echo $SHOP_API_KEY", "{v}\n"},
	{"docker inspect", "docker inspect web", "\"Env\": [\n    \"DB_PASSWORD={v}\",\n    \"PATH=/usr/bin\"\n],\n"},
	{"docker compose", "docker compose config", "    environment:\n      DB_PASSWORD: {v}\n      PORT: \"80\"\n"},
	{"env", "env", "HOME=/root\nSHOP_TOKEN={v}\nTERM=xterm\n"},
	{"ps", "ps aux", "app  12 0.0 0.1 /usr/bin/shop --db-password {v} --port 80\n"},
	{"git config", "git config -l", "core.bare=false\nhttp.https://git.tides.dev/.extraheader=AUTHORIZATION: basic {e}\n"},
	{"git remote", "git remote -v", "origin\thttps://app:{v}@git.tides.dev/x (fetch)\n"},
	{"npm", "npm config ls -l", "//npm.tides.dev/:_authToken = \"{v}\"\n"},
	{"openssl", "openssl rand -hex 24", "{v}\n"},
}

// outputKinds returns the kinds of these outputs, with generated values and with passwords of people.
func outputKinds() []kind {
	var all []kind
	for _, o := range outputs {
		all = append(all, kind{o.name, func(rng *rand.Rand) []Sample {
			var some []Sample
			values := []string{random(rng, 24, alnum), random(rng, 40, hexa)}
			if strings.Contains(strings.ToLower(o.text), "password") || strings.TrimSpace(o.text) == "{v}" {
				values = append(values, human[0].of(rng), human[2].of(rng))
			}
			for _, v := range values {
				if strings.ContainsAny(v, "!?") && (o.name == "git remote" || o.name == "ps") {
					continue
				}
				e := b64.StdEncoding.EncodeToString([]byte("app:" + v))
				text := strings.NewReplacer("{v}", v, "{e}", e).Replace(o.text)
				secret := v
				if strings.Contains(o.text, "{e}") {
					secret = e
				}
				some = append(some, Sample{
					Context: o.name, Records: []string{
						call(`{"command":` + quote(o.command) + `}`), result(text),
					}, Secrets: []string{secret},
				})
			}
			return some
		}})
	}
	return all
}
