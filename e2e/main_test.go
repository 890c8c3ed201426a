package e2e

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var source = flag.String("source", "../testdata/projects", "folder of session logs that the site is built from")

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "viewer-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	work = dir
	code := m.Run()
	stopBrowser()
	stopFirefox()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: removing what the tests made:", err)
	}
	os.Exit(code)
}

// work is the folder of this run: with the command, the sites, and the profile of the browser.
var work string

// howToInstall is the message if there is no browser.
const howToInstall = "no Chromium found: install it with `apt-get install chromium-headless-shell fonts-dejavu-core " +
	"fonts-liberation` on Debian, with the package manager elsewhere, or say where it is in CHROME_BIN"

// browser returns the Chromium of all tests. Each test opens its own tabs in it.
func browser(t testing.TB) context.Context {
	t.Helper()
	ctx, err := startBrowser()
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// stopBrowser stops the browser of startBrowser.
var stopBrowser = func() {}

var startBrowser = sync.OnceValues(func() (context.Context, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	allocator, freeAllocator := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path),
		chromedp.UserDataDir(filepath.Join(work, "profile")),
		chromedp.Headless,
		chromedp.DisableGPU,
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		// Containers have no user namespaces for the sandbox, and the pages are our own.
		chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("force-color-profile", "srgb"),
		// The drop-down of the address bar is a page too, made for each window. Without it a tab opens in less than
		// half of the time.
		chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"),
	)
	ctx, _ := chromedp.NewContext(allocator)
	stopBrowser = func() {
		if err := chromedp.Cancel(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "e2e: stopping the browser:", err)
		}
		freeAllocator()
	}
	// The browser lives as long as the context of this first call, so it has no timeout.
	started := make(chan error, 1)
	go func() { started <- chromedp.Do(ctx) }()
	select {
	case err := <-started:
		if err != nil {
			return nil, fmt.Errorf("starting %s: %w", path, err)
		}
		return ctx, nil
	case <-time.After(maxWait):
		return nil, fmt.Errorf("starting %s: no answer in %v", path, maxWait)
	}
})

// findChromium runs the script that make check runs, so that both find the same browser.
func findChromium() (string, error) {
	out, err := exec.Command("../.ci/chromium", "find").Output()
	if path := strings.TrimSpace(string(out)); err == nil && path != "" {
		return path, nil
	}
	return "", fmt.Errorf("%s", howToInstall)
}
