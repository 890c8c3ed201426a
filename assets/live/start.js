// ---- the page itself ----

const path = decodeURIComponent(location.pathname.slice(1));
const page = path === "" || path.endsWith("/") ? path + "index.html" : path; // the name on the server
let tag = ""; // of the page on the screen
let busy = null, once = false; // a refresh is running, and another is to follow
let retry = null, delay = 0; // a refresh that was refused is tried again, after longer and longer times
const longest = 60; // seconds

async function refresh() {
	if (busy) { once = true; return; }
	busy = load().catch(() => {}); // the stream reports if the server is gone
	await busy;
	busy = null;
	if (once) { once = false; refresh(); }
}

async function load() {
	const response = await fetch(location.pathname, { cache: "no-cache" });
	if (response.status === 404) return gone(true);
	clearTimeout(retry);
	if (response.status === 503) {
		delay = Math.min(longest, Math.max(2 * delay, Number(response.headers.get("Retry-After")) || 1));
		retry = setTimeout(refresh, 1000 * delay);
		return;
	}
	delay = 0;
	if (!response.ok || response.headers.get("Etag") === tag) return;
	const html = await response.text();
	tag = response.headers.get("Etag");
	gone(false);
	update(new DOMParser().parseFromString(html, "text/html"));
}

function gone(is) {
	missing.hidden = !is;
}

function update(now) {
	if (one("link[rel=stylesheet]", now.head)?.getAttribute("href") !== one("link[rel=stylesheet]")?.getAttribute("href")) {
		location.reload(); // the page is of another version of viewer
		return;
	}
	const inserted = [], following = isLast() && atEnd(), hadNext = !!one("main > .pager a[rel=next]");
	const restore = keep();
	title = now.title;
	// The script of the page restores what it has moved, and then handles new elements.
	doc.dispatchEvent(new Event("viewer:before"));
	patch(written, aside.adoptNode(now.body), inserted);
	patchDays();
	doc.dispatchEvent(new Event("viewer:after"));
	changed = Date.now();
	beat();
	restore();
	if (following) goToEnd();
	greet(inserted.filter((el) => el.isConnected && el.closest("main")), following, hadNext);
	root.dataset.updates = Number(root.dataset.updates || 0) + 1;
}

const missing = make("p", "This page is no longer there", "lost");

function begin() {
	takeNote();
	latest = isLog() ? lastTime() : 0;
	const corner = make("div", "", "live");
	corner.setAttribute("role", "status");
	below.type = "button";
	below.hidden = lost.hidden = missing.hidden = true;
	corner.append(below, lost, missing);
	doc.body.append(corner);
	offerNotes(corner);
	on("click", goBelow, below);
	on("scroll", () => { if (unread.size) tellBelow(); }, window);
	on("visibilitychange", () => {
		if (doc.hidden) return;
		unseen = 0;
		tellTitle();
		refresh(); // the machine may have been asleep
	});
	connect();
	beat();
	setInterval(() => { beat(); mark(); wake(); }, 1000);
}
on("DOMContentLoaded", begin); // before the page's own script, which is loaded after this one
