package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// firefoxPreferences turn off questions to the user. They leave out preferences that a browser sets under remote
// control, with which files could read each other.
var firefoxPreferences = map[string]any{
	"remote.prefs.recommended":                     false,
	"app.update.enabled":                           false,
	"app.normandy.enabled":                         false,
	"browser.aboutwelcome.enabled":                 false,
	"browser.newtabpage.enabled":                   false,
	"browser.ml.enable":                            false,
	"browser.pagethumbnails.capturing_disabled":    true,
	"browser.translations.enable":                  false,
	"reader.parse-on-load.enabled":                 false,
	"browser.sessionstore.interval":                3_600_000,
	"browser.safebrowsing.malware.enabled":         false,
	"browser.safebrowsing.phishing.enabled":        false,
	"browser.search.update":                        false,
	"browser.sessionstore.resume_from_crash":       false,
	"browser.shell.checkDefaultBrowser":            false,
	"browser.startup.homepage_override.mstone":     "ignore",
	"browser.startup.page":                         0,
	"browser.region.update.enabled":                false,
	"browser.tabs.unloadOnLowMemory":               false,
	"datareporting.policy.dataSubmissionEnabled":   false,
	"datareporting.healthreport.uploadEnabled":     false,
	"dom.ipc.processPrelaunch.enabled":             false,
	"extensions.getAddons.cache.enabled":           false,
	"extensions.systemAddon.update.enabled":        false,
	"extensions.update.enabled":                    false,
	"media.gmp-manager.updateEnabled":              false,
	"network.captive-portal-service.enabled":       false,
	"network.connectivity-service.enabled":         false,
	"network.dns.disablePrefetch":                  true,
	"network.http.speculative-parallel-limit":      0,
	"services.settings.server":                     "data:,",
	"termsofuse.bypassNotification":                true,
	"toolkit.telemetry.reportingpolicy.firstRun":   false,
	"trailhead.firstrun.didSeeAboutWelcome":        true,
	"focusmanager.testmode":                        true, // a page has the focus, whichever window is in front
	"dom.min_background_timeout_value":             4,
	"dom.timeout.enable_budget_timer_throttling":   false,
	"dom.input_events.security.minNumTicks":        0, // accept input in the first frames of a page
	"dom.input_events.security.minTimeElapsedInMS": 0,
	"ui.prefersReducedMotion":                      0,
	"layout.frame_rate":                            10, // a second; no test in Firefox looks at single frames
}

// firefox is a running Firefox.
type firefox struct {
	*bidi
	chrome string // the context of the browser's own window, which can set media features, touch and scripts
	pages  int    // that are open
}

// findFirefox runs the script that make check runs, so that both find the same browser.
func findFirefox() (string, error) {
	out, err := exec.Command("../.ci/firefox", "find").Output()
	if path := strings.TrimSpace(string(out)); err == nil && path != "" {
		return path, nil
	}
	return "", errors.New("no Firefox found: install it with `apt-get install firefox-esr` on Debian, with the package " +
		"manager elsewhere, or say where it is in FIREFOX_BIN")
}

// maxFirefoxes limits the browsers that run at the same time.
const maxFirefoxes = 4

// firefoxes are the running browsers and those that may still be started. Each is used by one test at a time: only one
// window of a browser has the focus, and keys go to the wrong window when another test opens one.
var firefoxes = struct {
	free    chan *firefox // running, and used by no test
	more    chan bool     // a value for each that may still be started
	mu      sync.Mutex
	started int
	stops   []func()
}{free: make(chan *firefox, maxFirefoxes), more: make(chan bool, maxFirefoxes)}

func init() {
	for range maxFirefoxes {
		firefoxes.more <- true
	}
}

// takeFirefox returns a free browser. It starts one only if none is free, because that takes seconds of processor time.
func takeFirefox() (*firefox, error) {
	select {
	case f := <-firefoxes.free:
		return f, nil
	default:
	}
	select {
	case f := <-firefoxes.free:
		return f, nil
	case <-firefoxes.more:
	}
	f, err := startFirefox()
	if err != nil {
		firefoxes.more <- true
	}
	return f, err
}

// stopFirefox stops the browsers of startFirefox.
func stopFirefox() {
	for _, stop := range firefoxes.stops {
		stop()
	}
}

// A lease is the Firefox of a test, from the first window that it opens.
type lease struct {
	take func() (*firefox, error)
	back func()
}

func newLease() lease {
	var taken *firefox
	return lease{
		take: sync.OnceValues(func() (f *firefox, err error) {
			taken, err = takeFirefox()
			return taken, err
		}),
		back: func() {
			if taken != nil {
				firefoxes.free <- taken
			}
		},
	}
}

func startFirefox() (*firefox, error) {
	path, err := findFirefox()
	if err != nil {
		return nil, err
	}
	firefoxes.mu.Lock()
	firefoxes.started++
	profile := filepath.Join(work, fmt.Sprintf("firefox-%d", firefoxes.started))
	firefoxes.mu.Unlock()
	if err := writePreferences(profile); err != nil {
		return nil, err
	}
	process := exec.Command(path, "--headless", "--no-remote", "--remote-debugging-port", "0",
		"--remote-allow-system-access", "--profile", profile)
	process.Env = append(os.Environ(), "MOZ_CRASHREPORTER_DISABLE=1", "HOME="+profile)
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), maxWait)
	defer cancel()
	f, err := connectFirefox(ctx, profile)
	if err != nil {
		_ = process.Process.Kill()
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	firefoxes.mu.Lock()
	defer firefoxes.mu.Unlock()
	firefoxes.stops = append(firefoxes.stops, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_ = f.call(ctx, "browser.close", nil, nil) // this also ends its child processes
		select {
		case <-ended:
		case <-ctx.Done():
			_ = process.Process.Kill()
		}
	})
	return f, nil
}

func writePreferences(profile string) error {
	var text strings.Builder
	for name, value := range firefoxPreferences {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "user_pref(%q, %s);\n", name, data)
	}
	if err := os.MkdirAll(profile, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(profile, "user.js"), []byte(text.String()), 0o644)
}

// connectFirefox waits for the file in which Firefox writes its address when it starts.
func connectFirefox(ctx context.Context, profile string) (*firefox, error) {
	var server struct {
		Host string `json:"ws_host"`
		Port int    `json:"ws_port"`
	}
	for server.Port == 0 {
		data, err := os.ReadFile(filepath.Join(profile, "WebDriverBiDiServer.json"))
		if err == nil {
			_ = json.Unmarshal(data, &server) // the file may be incomplete
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for it to listen: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
	b, err := dialBidi(ctx, fmt.Sprintf("ws://%s:%d/session", server.Host, server.Port))
	if err != nil {
		return nil, err
	}
	f := &firefox{bidi: b}
	var tree struct {
		Contexts []struct {
			Context string `json:"context"`
		} `json:"contexts"`
	}
	err = errors.Join(
		f.call(ctx, "session.new", map[string]any{"capabilities": map[string]any{}}, nil),
		f.call(ctx, "session.subscribe", map[string]any{
			"events": []string{"log.entryAdded", "network.beforeRequestSent", "network.fetchError", "script.message"},
		}, nil),
		f.call(ctx, "browsingContext.getTree", map[string]any{"moz:scope": "chrome"}, &tree),
	)
	if err == nil && len(tree.Contexts) == 0 {
		err = errors.New("it has no window")
	}
	if err != nil {
		return nil, err
	}
	f.chrome = tree.Contexts[0].Context
	return f, nil
}

// A firefoxPage is a tab or a window of a Firefox.
type firefoxPage struct {
	*firefox
	ctx           context.Context
	context, user string
	told          map[string]any // values that were set, by property
	marks         chan bool      // received marks of catchUp
}

// openFirefox opens a page in the container user, or in a new one if user is "".
func openFirefox(t testing.TB, tb *tab, user string) (p *firefoxPage, leave func()) {
	t.Helper()
	f, err := firefoxOf(t)
	if err != nil {
		lacks(t, "%v", err)
	}
	ctx, stop := context.WithTimeout(context.Background(), lifetime)
	t.Cleanup(stop)
	p = &firefoxPage{firefox: f, ctx: ctx, user: user, told: make(map[string]any), marks: make(chan bool, 1)}
	if user == "" {
		var made struct {
			UserContext string `json:"userContext"`
		}
		if err := f.call(ctx, "browser.createUserContext", nil, &made); err != nil {
			t.Fatal(err)
		}
		p.user = made.UserContext
		t.Cleanup(func() {
			_ = f.call(ctx, "browser.removeUserContext", map[string]any{"userContext": p.user}, nil)
		})
	}
	var made struct {
		Context string `json:"context"`
	}
	// A window takes a second of processor time more than a tab. But of the tabs of a window only one is visible.
	kind := "tab"
	if f.pages > 0 {
		kind = "window"
	}
	err = f.call(ctx, "browsingContext.create", map[string]any{"type": kind, "userContext": p.user}, &made)
	if err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	p.context = made.Context
	f.pages++
	f.listen(p.context, func(m bidiMessage, params map[string]any) {
		if text, _ := params["text"].(string); m.Method == "log.entryAdded" && strings.Contains(text, caughtUp) {
			select {
			case p.marks <- true:
			default: // nothing waits any more
			}
			return
		}
		hearFirefox(tb, m, params)
	})
	leave = sync.OnceFunc(func() {
		f.listen(p.context, nil)
		f.pages--
		_ = f.call(ctx, "browsingContext.close", map[string]any{"context": p.context}, nil)
	})
	t.Cleanup(leave)
	err = f.call(ctx, "script.addPreloadScript", map[string]any{
		"functionDeclaration": watchLoads, "contexts": []string{p.context},
		"arguments": []any{map[string]any{"type": "channel", "value": map[string]any{"channel": "loads"}}},
	}, nil)
	if err == nil && !tb.script {
		err = p.set("allowJavascript", false)
	}
	if err == nil {
		err = p.resize(1280, 900, false)
	}
	if err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	return p, leave
}

// caughtUp is an error that catchUp reports in the page.
const caughtUp = "the tests have heard all until here"

// catchUp waits for all errors that the page has caused so far. Errors are reported with a delay, but in order, so it
// reports one more and waits for that. A page that is being left, or runs no script, has no errors.
func (p *firefoxPage) catchUp() {
	select {
	case <-p.marks: // left from an earlier call that did not wait
	default:
	}
	_, err := p.evaluate(fmt.Sprintf("reportError(new Error(%q))", caughtUp), false)
	if err != nil {
		return
	}
	select {
	case <-p.marks:
	case <-time.After(20 * time.Second):
	}
}

// watchLoads reports elements whose file fails to load. The protocol has no events for files that are read from disk.
const watchLoads = `(tell) => addEventListener("error", ({ target }) => {
	if (target !== window) tell(target.currentSrc || target.src || target.href);
}, true)`

// policyViolation matches Firefox's console message about a violation: the directive and the address.
var policyViolation = regexp.MustCompile(`^Content-Security-Policy: ` +
	`.*?\(((?:script|style|img|font|connect|frame|default)-src[a-z-]*)\)(?: at (\S+))?`)

// hearFirefox records everything that a page that loads only its own files and breaks no rule would not cause.
func hearFirefox(tb *tab, m bidiMessage, params map[string]any) {
	request, _ := params["request"].(map[string]any)
	address, _ := request["url"].(string)
	switch m.Method {
	case "log.entryAdded":
		text, _ := params["text"].(string)
		switch violation := policyViolation.FindStringSubmatch(text); {
		case violation != nil:
			tb.report("policy violation: %s %s", violation[1], violation[2])
		case params["type"] == "console":
			tb.report("console message (%s): %s", params["method"], text)
		default:
			tb.report("exception: Uncaught %s", text)
		}
	case "script.message": // of watchLoads
		data, _ := params["data"].(map[string]any)
		tb.report("loading failed: %v", data["value"])
	case "network.beforeRequestSent":
		// The font of list markers is embedded in the browser's own style sheet.
		if !strings.HasPrefix(address, tb.url("")) && !strings.HasPrefix(address, "data:font/woff2;") {
			tb.report("request outside of the site: %s", address)
		}
	case "network.fetchError":
		if params["errorText"] != "NS_BINDING_ABORTED" { // the page was left before the file was loaded
			tb.report("loading failed: %s (%s)", params["errorText"], address)
		}
	}
}

// set sets a property of the browser's window that determines what its pages see.
func (p *firefoxPage) set(property string, value any) error {
	p.told[property] = value
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = p.bidi.evaluate(p.ctx, p.chrome, fmt.Sprintf(`{
		const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
		NavigableManager.getBrowsingContextById(%q)[%q] = %s;
	}`, p.context, property, data), false)
	return err
}

// visit sets the properties again, because a page in another process loses some of them.
func (p *firefoxPage) visit(address string) error {
	err := p.navigate(address, "complete")
	for property, value := range p.told {
		err = errors.Join(err, p.set(property, value))
	}
	return err
}

func (p *firefoxPage) depart(address string) error { return p.navigate(address, "none") }

func (p *firefoxPage) navigate(address, wait string) error {
	return p.call(p.ctx, "browsingContext.navigate",
		map[string]any{"context": p.context, "url": address, "wait": wait}, nil)
}

func (p *firefoxPage) evaluate(expression string, promise bool) ([]byte, error) {
	return p.bidi.evaluate(p.ctx, p.context, expression, promise)
}

func (p *firefoxPage) isGone(err error) bool {
	failure := new(bidiError)
	return errors.As(err, &failure) && failure.code != "invalid argument"
}

func (p *firefoxPage) resize(width, height int64, phone bool) error {
	var err error
	if _, was := p.told["touchEventsOverride"]; phone || was {
		err = p.set("touchEventsOverride", map[bool]string{false: "none", true: "enabled"}[phone])
	}
	return errors.Join(err, p.call(p.ctx, "browsingContext.setViewport", map[string]any{
		"context": p.context, "viewport": map[string]any{"width": width, "height": height},
	}, nil))
}

func (p *firefoxPage) media(feature, value string) error {
	property := map[string]string{
		"prefers-color-scheme": "prefersColorSchemeOverride", "forced-colors": "forcedColorsOverride",
	}[feature]
	return p.set(property, value)
}

func (p *firefoxPage) zone(id string) error {
	return p.call(p.ctx, "emulation.setTimezoneOverride",
		map[string]any{"contexts": []string{p.context}, "timezone": id}, nil)
}

// click waits for the element, scrolls it into the window, and clicks in the middle of its first line.
func (p *firefoxPage) click(selector string) error {
	ctx, stop := context.WithTimeout(p.ctx, maxWait)
	defer stop()
	for {
		data, err := p.evaluate(fmt.Sprintf(`(() => {
			const el = document.querySelector(%q);
			if (!el?.checkVisibility()) return [];
			const inside = (box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
			if (!inside(el.getClientRects()[0])) el.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
			const box = el.getClientRects()[0];
			return [box.x + box.width / 2, box.y + box.height / 2];
		})()`, selector), false)
		var at []float64
		if err == nil {
			err = json.Unmarshal(data, &at)
		}
		if err == nil && len(at) == 2 {
			return p.clickAt(at[0], at[1])
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

type action map[string]any

// perform runs actions of an input device.
func (p *firefoxPage) perform(device action, actions ...action) error {
	device["id"], device["actions"] = device["type"], actions
	if device["parameters"] != nil {
		device["id"] = "touch"
	}
	return p.call(p.ctx, "input.performActions", map[string]any{"context": p.context, "actions": []action{device}}, nil)
}

// pointer moves to a place of the window and presses there.
func (p *firefoxPage) pointer(kind string, x, y float64) error {
	return p.perform(action{"type": "pointer", "parameters": action{"pointerType": kind}},
		action{"type": "pointerMove", "x": x, "y": y}, action{"type": "pointerDown", "button": 0},
		action{"type": "pointerUp", "button": 0})
}

func (p *firefoxPage) clickAt(x, y float64) error { return p.pointer("mouse", x, y) }
func (p *firefoxPage) touchAt(x, y float64) error { return p.pointer("touch", x, y) }

// firefoxKeys are the characters that represent keys without a character
// (https://w3c.github.io/webdriver/#keyboard-actions).
var firefoxKeys = map[string]string{
	kb.Backspace: "\uE003", kb.Tab: "\uE004", kb.Enter: "\uE007", kb.Escape: "\uE00C",
	kb.ArrowLeft: "\uE012", kb.ArrowUp: "\uE013", kb.ArrowRight: "\uE014", kb.ArrowDown: "\uE015",
}

func (p *firefoxPage) press(keys string, held ...chromedp.Modifier) error {
	var down, up []action
	for _, modifier := range held {
		key := map[chromedp.Modifier]string{
			chromedp.ModifierShift: "\uE008", chromedp.ModifierCtrl: "\uE009", chromedp.ModifierAlt: "\uE00A",
		}[modifier]
		down = append(down, action{"type": "keyDown", "value": key})
		up = append(up, action{"type": "keyUp", "value": key})
	}
	for _, r := range keys {
		key := string(r)
		if special, ok := firefoxKeys[key]; ok {
			key = special
		}
		actions := append(append(down[:len(down):len(down)],
			action{"type": "keyDown", "value": key}, action{"type": "keyUp", "value": key}), up...)
		if err := p.perform(action{"type": "key"}, actions...); err != nil {
			return err
		}
	}
	return nil
}
