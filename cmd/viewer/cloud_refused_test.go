//go:build cloud && linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// azureKey is the public key of Azurite's default account.
const azureKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="

func azureConnection(endpoint string) string {
	return "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=" + azureKey +
		";BlobEndpoint=" + endpoint + ";"
}

// TestBucketRefused: when Google or Azure refuse or fail, the command prints one line with address and cause, and a
// hint. Reading and writing stop after some retries, and no key is printed.
func TestBucketRefused(t *testing.T) {
	t.Parallel()
	type refusal struct {
		name       string
		status     int
		code, text string // "" for a closed connection
		want, hint string
	}
	google := func(w http.ResponseWriter, c refusal) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(c.status)
		fmt.Fprintf(w, `{"error":{"code":%d,"message":%q,"errors":[{"domain":"global","reason":%q,"message":%[2]q}]}}`,
			c.status, c.text, c.code)
	}
	azure := func(w http.ResponseWriter, c refusal) {
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("x-ms-error-code", c.code)
		w.WriteHeader(c.status)
		fmt.Fprintf(w, "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>%s\nRequestId:1\nTime:2026</Message></Error>",
			c.code, c.text)
	}
	for _, p := range []struct {
		scheme string
		answer func(http.ResponseWriter, refusal)
		cases  []refusal
	}{
		{"gs", google, []refusal{
			{"not allowed", 403, "forbidden", "Told to.", "no permission: told to (forbidden)", "what they may do"},
			{"not known", 401, "authError", "Told to.", "told to (authError)", "check the credentials"},
			{"no bucket", 404, "notFound", "Told to.", "no such bucket", "check its name"},
			{"throttled", 429, "rateLimitExceeded", "Told to.", "told to (rateLimitExceeded)", "later, or with fewer shards"},
			{"failing", 503, "backendError", "Told to.", "told to (backendError)", "again"},
			{"cut", 0, "", "", "the connection was cut", "run it again"},
		}},
		{"azblob", azure, []refusal{
			{"not allowed", 403, "AuthorizationFailure", "Told to.", "no permission: AuthorizationFailure", "what they may do"},
			{"clock", 403, "AuthenticationFailed", "Told to.", "AuthenticationFailed", "and the clock"},
			{"no bucket", 404, "ContainerNotFound", "Told to.", "no such bucket", "check its name"},
			{"throttled", 503, "ServerBusy", "Told to.", "ServerBusy", "later, or with fewer shards"},
		}},
	} {
		for _, c := range p.cases {
			t.Run(p.scheme+" "+c.name, func(t *testing.T) {
				t.Parallel() // most of the time is spent waiting
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if c.status == 0 {
						panic(http.ErrAbortHandler)
					}
					p.answer(w, c)
				}))
				defer server.Close()
				host := strings.TrimPrefix(server.URL, "http://")
				address := p.scheme + "://logs/team"
				commands := [][]string{{"build", "../../testdata/projects", "-o", address}, {"list", address}}
				if c.status == 0 || c.status > 404 { // a temporary failure, which is retried
					commands = commands[:1]
				}
				for _, args := range commands {
					cmd := exec.Command("viewer", args...)
					cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "STORAGE_EMULATOR_HOST="+host,
						"AZURE_STORAGE_CONNECTION_STRING="+azureConnection(server.URL+"/devstoreaccount1"))
					out, err := cmd.CombinedOutput()
					output := string(out)
					lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
					want := "viewer: error: reading " + address + ": " + c.want
					if exitCode(err) != 1 || len(lines) != 2 || lines[0] != want ||
						!strings.HasPrefix(lines[1], "viewer: hint: ") || !strings.Contains(lines[1], c.hint) {
						t.Errorf("%s: error %v, want %q and %q:\n%s", args[0], err, c.want, c.hint, output)
					}
					if strings.Contains(output, azureKey[:20]) || strings.Contains(output, filepath.Base(host)) {
						t.Errorf("%s prints the key or the host:\n%s", args[0], output)
					}
				}
			})
		}
	}
}
