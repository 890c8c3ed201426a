package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const password = "correct horse battery stäple"

// encryptedFile returns a folder with an encrypted file of a session with pictures.
func encryptedFile(t testing.TB) (dir, page string) {
	t.Helper()
	return mustBuild(t, buildEncryptedFile), "page.html"
}

var buildEncryptedFile = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "encrypted")
	secret := filepath.Join(work, "password")
	err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(secret, []byte(password+"\n"), 0o600))
	if err != nil {
		return "", err
	}
	return dir, runViewer("export", "d3905c7e", "--source", "testdata/projects", "-o", filepath.Join(dir, "page.html"),
		"--password-file", secret)
})

// TestEncrypted opens an encrypted page from disk by keyboard alone. A wrong password is refused with a message, the
// right one shows the page as without encryption, and nothing is loaded or refused by the policy meanwhile.
func TestEncrypted(t *testing.T) {
	t.Parallel()
	dir, page := encryptedFile(t)
	tb := openTab(t, dir, withScript)
	tb.view(t, 1280, "light")
	tb.open(t, tb.url(page))
	if !eval[bool](t, tb, `document.activeElement.id === "password" && !document.querySelector("h2, .turn")`) {
		t.Error("the password field has no focus")
	}
	tb.press(t, "another"+kb.Enter)
	tb.await(t, `document.querySelector("#problem").textContent`, "a word about the password")
	got := eval[string](t, tb, `document.querySelector("#problem").innerText`)
	if !strings.HasPrefix(got, "The password is wrong") {
		t.Errorf("with another password: got message %q", got)
	}
	if !eval[bool](t, tb, `document.activeElement.matches("#password[aria-invalid=true]")`) {
		t.Error("after a wrong password the field is not ready for the next one")
	}
	tb.press(t, password+kb.Enter)
	tb.await(t, `"ready" in document.documentElement.dataset`, "the decrypted page")
	report(t, page, checkFolding(t, tb))
	report(t, page, checkLevels(t, tb))
	report(t, page, brokenPictures(t, tb))
	if n := eval[int](t, tb, `performance.getEntriesByType("resource")
		.filter((e) => !e.name.startsWith("data:")).length`); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
	if eval[bool](t, tb, `(() => {
		const el = document.createElement("script");
		el.textContent = "document.title = 'it ran'";
		document.head.append(el);
		return document.title === "it ran";
	})()`) {
		t.Error("the decrypted page runs a script that is not its own")
	}
	found := withoutPictures(tb.takeFindings())
	wants(t, "the policy", found, "policy violation: script-src-elem")
	for _, f := range found {
		if !strings.Contains(f, "script-src") && !strings.Contains(f, "Content Security Policy") &&
			!strings.Contains(f, "Content-Security-Policy") {
			t.Error(f)
		}
	}
}

// TestEncryptedForm checks the page before it is decrypted.
func TestEncryptedForm(t *testing.T) {
	t.Parallel()
	dir, page := encryptedFile(t)
	for _, m := range modes {
		tb := openTab(t, dir, m)
		tb.open(t, tb.url(page))
		for _, scheme := range []string{"light", "dark"} {
			tb.view(t, 360, scheme)
			report(t, page+" "+scheme, checkLooks(t, tb))
			if m.script {
				report(t, page+" "+scheme, inaccessible(t, tb))
			}
		}
		text := eval[string](t, tb, `document.body.innerText`)
		if needs := strings.Contains(text, "needs JavaScript"); needs == m.script {
			t.Errorf("%s: the visible text is %q", m.name, text)
		}
		if shown := eval[bool](t, tb, `document.querySelector("form").checkVisibility()`); shown != m.script {
			t.Errorf("%s: the form is visible: %v", m.name, shown)
		}
		report(t, page, tb.takeFindings())
	}
}

// TestEncryptedList opens the list of published sessions and then one of them.
func TestEncryptedList(t *testing.T) {
	t.Parallel()
	builtSite(t) // this builds the command
	dir := t.TempDir()
	file := filepath.Join(dir, "password")
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "www")
	cmd := exec.Command(filepath.Join(work, "viewer"), "publish", root, "../testdata/projects",
		"--project", "nightwatch", "--password-file", file, "--yes")
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	tb := openTab(t, root, withScript)
	tb.open(t, tb.url("index.html"))
	tb.press(t, password+kb.Enter)
	tb.await(t, `"ready" in document.documentElement.dataset`, "the decrypted list")
	for _, scheme := range []string{"light", "dark"} {
		tb.view(t, 360, scheme)
		report(t, "the list "+scheme, checkLooks(t, tb))
	}
	if n := eval[int](t, tb, `document.querySelectorAll("main td a").length`); n != 5 {
		t.Errorf("the list has %d sessions, want 5", n)
	}
	tb.click(t, "main td a")
	tb.await(t, `document.activeElement?.id === "password"`, "the page of a session")
	tb.press(t, password+kb.Enter)
	tb.await(t, `"ready" in document.documentElement.dataset && document.querySelector(".turn")`,
		"the decrypted session")
	report(t, "the list", withoutPictures(tb.takeFindings()))
}
