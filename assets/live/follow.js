// ---- what is new ----

const UNIT = ".prompt, .prose, .tool, .think, .note, .srow"; // elements that count as one new item
const below = make("button", "", "below");
const unread = new Set(); // new items below the screen
let unseen = 0; // new items since the tab was left
let title = doc.title;

const units = (el) => (el.matches(UNIT) ? [el] : all(UNIT, el)).filter((unit) => !unit.parentElement.closest(".tool, .prompt, .agent"));
const isLog = () => !!one("main > .turn");
const isLast = () => isLog() && !one("a[rel=next]");

function tellTitle() {
	doc.title = unseen ? `(${unseen}) ${title}` : title;
}

function tellBelow() {
	for (const el of unread) if (!el.isConnected || visible(el) && top(el) < innerHeight) unread.delete(el);
	const next = one("main > .pager a[rel=next]");
	const n = [...unread].filter(visible).length;
	below.hidden = !n && !(next && below.dataset.next === next.getAttribute("href"));
	below.textContent = n ? `${n} new below` : "Continues on the next page";
	if (below.hidden) delete below.dataset.next;
}

// greet counts inserted elements; followed means that the page scrolls to the end anyway.
function greet(inserted, followed, hadNext) {
	const fresh = inserted.flatMap(units);
	for (const el of fresh) el.dataset.fresh = ""; // a class would look like a change by a script or the reader
	if (doc.hidden) unseen += fresh.filter(visible).length;
	if (!followed) for (const el of fresh) if (top(el) > innerHeight) unread.add(el);
	const next = one("main > .pager a[rel=next]");
	if (next && !hadNext && isLog()) below.dataset.next = next.getAttribute("href");
	tellTitle();
	tellBelow();
}

function goBelow() {
	const first = [...unread].find(visible);
	if (first) first.scrollIntoView({ block: "center" });
	else one("main > .pager a[rel=next]")?.click();
}
