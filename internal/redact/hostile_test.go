package redact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// hostile are texts that could make a matcher scan the same place repeatedly. Each is a part that is repeated.
var hostile = []string{
	"key", "key=", "key:", "key=\"", "key='a", "key=key", "key:key:", "password=a1", "token \t", "secret, ",
	"api_key = ", "apikeyapikey_", "api.key.", "key=aaaaaaaaaaaaaaaa1",
	"ghp_", "ghp_a", "sk-ant-", "sk-ant-a", "AKIA", "AKIAA", "eyJ.eyJ.", ".eyA", "xoxb-1", "EAAA", "/EAAA", "SK00",
	"0Q~a", "hf_a", "dapi0", "-----BEGIN", "PRIVATE KEY",
	"-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n",
	"-----BEGIN RSA PRIVATE KEY-----\\n", "-----END RSA PRIVATE KEY-----",
	"@", "a@", "a@a", "@a.b", "a@b.co", "a@b.co.", "://", "://@", "://a:b@", "://a@b@", "a://b:c", "@://", "x@y:",
	"Bearer ", "Bearer a", "Authorization: ", "Authorization: Basic a", "Cookie: a=b;", "Cookie: a=", "Set-Cookie:",
	"/home/", "/home/a", "/home/ab/", "\\Users\\", "\\Users\\a b", "-home-", "/-home-a", "-Users-a-", "/mnt/c/Users/ab",
	"curl ", "curl -u ", "curl -H \"", "kind: secret\n", "data:\n", "<add key=\"", "\"secret_key\" => ", "facebook ",
	"discord", "airtable pat",
	"sshpass -p ", "mysql -p'", "zip -P a mysql -pb redis-cli -a c curl -u d:e ", "sudo -S ", "echo a | sudo -S ",
	"net user a ", "setx KEY ", "htpasswd -b ",
	"userId=", "_account_", "user_id: ", "DESKTOP-AAAAAAA", "-MacBook", ".env ", ".env", ".env:\nA=b\n", ".env:1:A=b\n",
	"+++ b/.env\n", "API_KEY=a1b2c3d4\n", "A=\"b\n", "password=\"", "password is ", "&quot;key&quot;:", "\x1b[1mkey",
	"id_rsa", "linear ", "linear=", "lob_", "sentry: ", "telegram bot ",
	"password: &a b\n", "password: |\n ", " token: |\n", "::add-mask::", "send \"a\\r\"", "password for ",
	"variable \"token\" {",
	"{\"a\":\".env\\n", "[\"kind: secret\\\\n",
	">.env ", "echo >.env", "| tee .env ", "$ pwgen ", "$ pwgen \n", "printenv token",
	"a/b.c:1:key=", "a/b.c:1:", "- name: key\n", "value: a\nname: key\n", "\"sensitive\": true",
	"{\"value\": \"a\", \"masked\": true",
	" a:5432:", " a:5432:b:c:d", "*:*:*:a:b", "keys: [", "\"a\", ",
	"machine ", "machine a login b password c ", "\tTRUE\t/", "\tTRUE\t/\tTRUE\t0\ta\tb1",
	"backup codes\n", "backup codes", "backup codes\n1234-5678\n", "Private-Lines: 1", "Private-Lines: 1\n", "prime1:",
	"prime1:\n00:11:22\n", "{\"value\": \"a\", \"httpOnly\": true",
	"xprv9", "secret id: ", "| password |", "key:\n", "seed: a b c ", "\"d\":",
	"<key>key</key>", "%3da", "key%3Da%26", "&lt;key&gt;", "\\u003ckey\\u003e", "%2525252525",
	"\\n", "\\", "\\\"", "\\u0041", "[", "]", "{", "\n", "\r\n", " ", "\x00", "é", "😀", "\x1b[31m", "A", "a1B2", "=",
	":", "'", "\"", "`", "a,password\n", "password,token,", "password,token,(", "| token |\n", "secrets:\n- a\n",
	"secret:\n", "secrets:\n- \"a", "password\t", "--token \\\n", "password\").fill(",
}

// BenchmarkHostile measures the throughput for each of them. BenchmarkJSON measures ordinary text.
func BenchmarkHostile(b *testing.B) {
	const size = 1 << 20
	for _, part := range hostile {
		text := strings.Repeat(part, size/len(part))
		raw, err := json.Marshal(map[string]any{"file_path": "/x/.env", "cwd": "/home/mara", "content": text})
		if err != nil {
			b.Fatal(err)
		}
		r, err := New(Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%.20q", part), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				r.Session().JSON(raw)
			}
		})
	}
}
