package secretgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// frameworks are keys in the files of frameworks and tools; %s is the value.
var frameworks = []struct {
	name  string
	texts []string
	parts []part
}{
	{"Django", []string{"SECRET_KEY = '%s'\n", "SECRET_KEY = \"%s\"\nDEBUG = True\n", "DJANGO_SECRET_KEY='%s'\n", "SECRET_KEY = 'django-insecure-%s'\n", "SECRET_KEY=%s\n"}, with(many(50, django))},
	{"Rails", []string{"SECRET_KEY_BASE=%s\n", "production:\n  secret_key_base: %s\n", "heroku config:set SECRET_KEY_BASE=%s\n"}, with(many(128, hexa))},
	{"Rails, master key", []string{"RAILS_MASTER_KEY=%s\n", "export RAILS_MASTER_KEY=\"%s\"\n"}, with(many(32, hexa))},
	{"Phoenix", []string{"SECRET_KEY_BASE=%s\n", "  secret_key_base: \"%s\",\n"}, with(many(64, base64))},
	{"Laravel", []string{"APP_KEY=base64:%s=\n", "'key' => env('APP_KEY', 'base64:%s='),\n"}, with(many(43, base64))},
	{"Symfony", []string{"APP_SECRET=%s\n", "framework:\n    secret: '%s'\n"}, with(many(32, hexa))},
	{"Ethereum", []string{"PRIVATE_KEY=0x%s\n", "PRIVATE_KEY=%s\n", "const privateKey = \"0x%s\";\n", "cast send --private-key 0x%s --rpc-url x\n", "DEPLOYER_PRIVATE_KEY=\"0x%s\"\n"}, with(many(64, hexa))},
	{"NextAuth", []string{"NEXTAUTH_SECRET=%s=\n", "NEXTAUTH_SECRET=\"%s=\"\n", "AUTH_SECRET=\"%s=\"\n", "  secret: '%s=',\n"}, with(many(43, base64))},
	{"JWT", []string{"JWT_SECRET=%s\n", "jwt:\n  secret: %s\n", "jwt.sign(payload, secret='%s')\n", "\"Jwt\": { \"Key\": \"%s\" }\n", "\"Jwt:Key\": \"%s\"\n", "app.jwtSecret=%s\n"}, with(many(48, alnum))},
	{"sessions", []string{"SESSION_SECRET=%s\n", "COOKIE_SECRET='%s'\n", "app.use(session({ secret: '%s' }))\n", "NUXT_SESSION_PASSWORD=%s\n"}, with(many(40, alnum))},
	{"WordPress", []string{"define('AUTH_KEY', '%s');\n", "define( 'SECURE_AUTH_KEY',  '%s' );\n", "define('LOGGED_IN_KEY', '%s');\n", "define('NONCE_KEY', '%s');\n", "define('AUTH_SALT', '%s');\n", "define('NONCE_SALT', '%s');\n"}, with(many(64, alnum+"!@#$%^&*()-_ []{}<>~`+=,.;:/?|"))},
	{"Strapi", []string{"APP_KEYS=%s==,%[1]s==\n", "API_TOKEN_SALT=%s==\n", "ADMIN_JWT_SECRET=%s==\n"}, with(many(22, base64))},
	{"Airflow", []string{"AIRFLOW__CORE__FERNET_KEY=%s=\n", "fernet_key = %s=\n"}, with(many(43, urlSafe))},
	{"Flask", []string{"app.secret_key = '%s'\n", "app.config['SECRET_KEY'] = '%s'\n", "app.secret_key = b'%s'\n"}, with(many(24, symbols))},
	{"Spring", []string{"jwt.secret=%s\n", "spring.datasource.password=%s\n", "security:\n  oauth2:\n    client:\n      client-secret: %s\n"}, with(many(32, alnum))},
	{"Azure", []string{"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=%s==;EndpointSuffix=core.windows.net\n", "AZURE_STORAGE_KEY=%s==\n", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s=\n"}, with(many(86, base64))},
	{"AWS", []string{"aws_secret_access_key = %s\n", "AWS_SECRET_ACCESS_KEY=%s\n", "\"SecretAccessKey\": \"%s\",\n", "export AWS_SECRET_ACCESS_KEY='%s'\n", "{\"Credentials\": {\"SecretAccessKey\": \"%s\"}}"}, with(many(40, base64))},
	{"AWS, session token", []string{"AWS_SESSION_TOKEN=%s==\n", "aws_session_token = %s==\n", "\"SessionToken\": \"%s==\",\n", "export AWS_SESSION_TOKEN=\"%s==\"\n"}, with(many(900, base64))},
	{"Hasura", []string{"HASURA_GRAPHQL_ADMIN_SECRET=%s\n", "-H 'x-hasura-admin-secret: %s'\n"}, with(many(32, alnum))},
	{"Meilisearch", []string{"MEILI_MASTER_KEY=%s\n", "--master-key %s\n"}, with(many(43, urlSafe))},
	{"n8n", []string{"N8N_ENCRYPTION_KEY=%s\n"}, with(many(32, alnum))},
	{"VAPID", []string{"VAPID_PRIVATE_KEY=%s\n", "  privateKey: '%s',\n"}, with(many(43, urlSafe))},
	{"Postgres", []string{"POSTGRES_PASSWORD=%s\n", "PGPASSWORD=%s psql -h db\n", "postgres://app:%s@db:5432/app\n", "      POSTGRES_PASSWORD: %s\n"}, with(many(20, alnum))},
	{"Sentry", []string{"SENTRY_AUTH_TOKEN=%s\n"}, with(many(64, hexa))},
	{"Supabase", []string{"SUPABASE_SERVICE_ROLE_KEY=%s\n", "SUPABASE_JWT_SECRET=%s==\n"}, with(many(86, base64))},
	{"Kubernetes", []string{"apiVersion: v1\nkind: Secret\ndata:\n  password: %s\n", "kind: Secret\nstringData:\n  cert: %s\n"}, with(many(28, alnum))},
}

func frameworkKinds() []kind {
	var all []kind
	for _, f := range frameworks {
		all = append(all, kind{f.name, func(rng *rand.Rand) []Sample {
			var some []Sample
			for _, text := range f.texts {
				secret := made(rng, f.parts)
				if strings.ContainsAny(secret, " #;&|<>()$") && strings.HasSuffix(text, "=%s\n") {
					text = strings.Replace(text, "%s", "'%s'", 1)
				}
				some = append(some, of(rng, text, fmt.Sprintf(text, secret), secret))
			}
			return some
		}})
	}
	return append(all, kind{"wallet phrase", func(rng *rand.Rand) []Sample {
		var some []Sample
		for _, text := range []string{
			"MNEMONIC=\"%s\"\n", "const mnemonic = '%s';\n", "seed_phrase: \"%s\"\n", "recovery phrase: %s\n",
		} {
			var list []string
			for range 12 {
				list = append(list, strings.ToLower(word(rng)))
			}
			secret := strings.Join(list, " ")
			some = append(some, of(rng, text, fmt.Sprintf(text, secret), secret))
		}
		return some
	}})
}
