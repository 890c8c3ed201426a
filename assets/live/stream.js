// ---- listening ----

// Browsers open few connections to a server, and a stream keeps one. So only one tab listens, the one that holds a
// lock, and tells the others. Without locks each tab listens.
const tabs = "BroadcastChannel" in window && navigator.locks ? new BroadcastChannel("viewer-live") : null;
const lost = make("p", "Connection lost, trying again", "lost");
let at = one("meta[name=viewer-live]").content; // the last change in this page
let source = null; // for the listening tab
let told = null; // timer that reports a lost connection unless it is restored soon
let leave = null; // releases the lock, or stops waiting for it

function listen() {
	source?.close();
	source = new EventSource(`/-/events?since=${encodeURIComponent(at)}`);
	source.onopen = () => spread({ found: true });
	source.addEventListener("change", (e) => spread({ at: e.lastEventId, ...JSON.parse(e.data) }));
	source.onerror = () => {
		spread({ found: false });
		// Refused: the browser does not retry by itself.
		if (source.readyState === EventSource.CLOSED) setTimeout(() => source && listen(), 5000);
	};
}

function spread(message) {
	tabs?.postMessage(message);
	hear(message);
}

function hear(message) {
	if (message.asks) {
		// A tab that was opened later checks whether it has missed a change.
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
	navigator.locks.request("viewer-live", { signal: waiting.signal }, listenAndKeep).catch(() => {}); // rejected when it stops waiting
}

// Browsers may keep a page that is left, to go back to it. It must not hold the lock, or wait for it, while it is
// inactive.
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

// Timers show that the machine was asleep; the connection may be dead without an error.
let clock = Date.now();
function wake() {
	const now = Date.now();
	if (now - clock > 30e3) {
		if (source) listen();
		refresh();
	}
	clock = now;
}
