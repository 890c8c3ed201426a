// ---- listening ----

// Browsers open few connections to one server, and a stream keeps one: of all tabs one listens and tells the others. A
// lock says which; where there are no locks each tab listens for itself.
const tabs = "BroadcastChannel" in window && navigator.locks ? new BroadcastChannel("viewer-live") : null;
const lost = make("p", "Connection lost, trying again", "lost");
let at = one("meta[name=viewer-live]").content; // the last change that this page knows of
let source = null; // of the tab that listens
let told = null; // to say that the connection is lost, if it does not come back at once
let leave = null; // gives the lock back, or waits for it no longer

function listen() {
	source?.close();
	source = new EventSource(`/-/events?since=${encodeURIComponent(at)}`);
	source.onopen = () => spread({ found: true });
	source.addEventListener("change", (e) => spread({ at: e.lastEventId, ...JSON.parse(e.data) }));
	source.onerror = () => {
		spread({ found: false });
		// Refused: the browser does not try again by itself.
		if (source.readyState === EventSource.CLOSED) setTimeout(() => source && listen(), 5000);
	};
}

function spread(message) {
	tabs?.postMessage(message);
	hear(message);
}

function hear(message) {
	if (message.asks) {
		// A tab that came late: it looks for itself whether it has missed something.
		if (source) tabs.postMessage({ at, now: true, found: source.readyState === EventSource.OPEN });
		return;
	}
	if ("found" in message) connection(message.found);
	if (!message.at || message.at === at) return;
	at = message.at;
	for (const name of message.pages || []) active.set(name, Date.now());
	if (message.all || message.now || message.pages?.includes(page)) refresh();
}

function connection(found) {
	if (found) {
		clearTimeout(told);
		told = null;
		lost.hidden = true;
		root.dataset.live = "";
	} else told ??= setTimeout(() => { lost.hidden = false; delete root.dataset.live; }, 1500);
}

function connect() {
	if (!tabs) return listen();
	tabs.onmessage = (e) => hear(e.data);
	tabs.postMessage({ asks: true });
	const waiting = new AbortController();
	leave = () => waiting.abort();
	const listenAndKeep = () => new Promise((done) => { leave = done; listen(); });
	navigator.locks.request("viewer-live", { signal: waiting.signal }, listenAndKeep).catch(() => {}); // when it waits no longer
}

// A page that is left may be kept as it was, to come back to: it must not keep the lock, or wait for it, while it can tell
// nobody anything.
on("pagehide", () => {
	source?.close();
	source = null;
	leave?.();
}, window);
on("pageshow", (e) => {
	if (!e.persisted) return;
	connect();
	refresh();
}, window);

// After a sleep, timers tell that time was lost; the connection may be dead without anyone having said so.
let clock = Date.now();
function wake() {
	const now = Date.now();
	if (now - clock > 30e3) {
		if (source) listen();
		refresh();
	}
	clock = now;
}
