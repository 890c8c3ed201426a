// ---- search in a session ----

// Hits are counted in the texts of the search over all sessions (search.js), without additions of the page such as
// names of buttons and line numbers, so that every page has the same count. A page without such texts, such as a single
// file, counts what it shows. Marks are set in the text of the page.
const SKIPPED = "svg, time, s, .gut, .sent, .pager, .cont, .vh";
const INLINE = "a, b, cite, code, del, em, i, ins, kbd, mark, s, small, span, strong, sub, sup, u, var";

const address = location.href.replace(/[?#].*/, "");
const [folder] = address.slice(site.length).match(/^s\/[^/]+\//) || [""]; // of the session, below the site
const here = address.slice(site.length + folder.length) || "index.html"; // names of pages need no escapes

let pages = [here]; // of the session, in their order
const texts = new Map(); // by page: its messages, each with its anchor and its text
let loading, arriving = false; // of the texts: the promise, once begun; true while texts arrive

// loadTexts reads the texts of all pages, or of this page again.
async function loadTexts(isAgain) {
	if (!("paged" in root.dataset) || !window.DecompressionStream) return;
	arriving = true;
	tally();
	const own = decodeURIComponent(folder);
	const read = (name) => fileText(own + name).catch(() => "").finally(() => files.delete(own + name));
	const list = (await pageList()).split("\n\n")[0].split("\n").filter(Boolean).map((line) => line.split(" "));
	if (list.length) pages = list.map(([page]) => page + ".html");
	await Promise.all(list.map(async ([page, units]) => {
		if (isAgain && page + ".html" !== here) return;
		const unit = (_, i) => read(unitName(page, i)).then((text) => text ? documentsOf(text).filter((d) => d.kind !== "title") : []);
		const some = (await Promise.all(Array.from({ length: +units }, unit))).flat();
		if (some.length) texts.set(page + ".html", some.map(({ anchor, text }) => ({ anchor, text })));
		tally();
	}));
	arriving = false;
	lookAgain();
	tally();
}

// pattern matches words, ignoring case and the kind of blanks between them. Lengths of matches are those in the text.
function pattern(query) {
	const words = query.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
	return words[0] && new RegExp(words.join("\\s+"), "giu");
}

// read returns the text of this page, a line for each block, and the offset of each text node in it.
function read() {
	const nodes = [];
	let text = "", block, apart;
	for (const turn of all(TURNS)) {
		const walk = doc.createTreeWalker(turn, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
			(node) => node.nodeType === 1 && node.matches(SKIPPED) ? (apart ||= !node.matches(INLINE), NodeFilter.FILTER_REJECT) : NodeFilter.FILTER_ACCEPT);
		for (let node = turn; node; node = walk.nextNode()) {
			if (node.nodeType === 1) {
				apart ||= !node.matches(INLINE);
				continue;
			}
			const around = node.parentElement.closest(`:not(${INLINE})`);
			if (apart || around !== block) text += "\n";
			apart = false;
			block = around;
			nodes.push({ node, start: text.length });
			text += node.data;
		}
	}
	return { text, nodes };
}

let box, words, said; // the search, its input, its count
let hits = [], at = -1; // on this page, those that are counted
let wanted, due; // the pattern; the timer of the next search
let counts = new Map(); // of hits, by other page
let opened = [], back; // folds to close again; the element that had the focus
let raised = null; // the level before show raised it

function look() {
	clearTimeout(due);
	due = 0;
	const near = hits[at]?.from.isConnected ? hits[at].from : place;
	hits = [];
	at = -1;
	wanted = pattern(words.value);
	counts = new Map();
	if (wanted) {
		const { text, nodes } = read();
		let i = 0;
		const seek = (offset) => { while (nodes[i + 1]?.start <= offset) i++; return nodes[i]; };
		for (const match of text.matchAll(wanted)) {
			const end = match.index + match[0].length;
			const a = seek(match.index), b = seek(end - 1);
			hits.push({ from: a.node, fromAt: match.index - a.start, to: b.node, toAt: end - b.start });
		}
	}
	mark("found", hits.map((hit) => new StaticRange({ startContainer: hit.from, startOffset: hit.fromAt, endContainer: hit.to, endOffset: hit.toAt })));
	mark("found-now", []);
	hits = counted(hits);
	tally();
	return Math.max(0, hits.findIndex((hit) => !near || !(near.compareDocumentPosition(hit.from) & Node.DOCUMENT_POSITION_PRECEDING)));
}

// counted returns the hits that count: none in a row that repeats its fold, of each message at most as many as its text
// has, and for a message whose words the page does not show, its row.
function counted(some) {
	const isRow = ({ from }) => from.parentElement.closest("summary");
	some = some.filter((hit) => !isRow(hit) || !isRepeated(hit, isRow(hit).parentElement));
	const own = countsOf(here);
	if (!own.size) return some;
	const left = new Map(own), ids = new Set(texts.get(here).map((d) => d.anchor)), owners = new Map();
	for (const hit of some) {
		let el = hit.from.parentElement;
		while (el && !ids.has(el.id)) el = el.parentElement;
		owners.set(hit, el?.id || "");
	}
	const kept = new Set();
	for (const hit of [...some.filter((hit) => !isRow(hit)), ...some.filter(isRow)]) {
		const n = left.get(owners.get(hit));
		if (!n) continue;
		left.set(owners.get(hit), n - 1);
		kept.add(hit);
	}
	const all = some.filter((hit) => kept.has(hit));
	for (const [id, n] of own) {
		const el = id && left.get(id) === n && doc.getElementById(id), node = el && textIn(el);
		if (node) all.push({ from: node, fromAt: 0, to: node, toAt: node.length });
	}
	return all.sort((a, b) => a.from === b.from ? a.fromAt - b.fromAt : a.from.compareDocumentPosition(b.from) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1);
}

// textIn returns the first text of an element that is not blank.
function textIn(el) {
	const walk = doc.createTreeWalker(el, NodeFilter.SHOW_TEXT, (node) => /\S/.test(node.data) && !node.parentElement.closest(SKIPPED) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP);
	return walk.nextNode();
}

// isRepeated returns whether the words around a hit in a row are also in its fold.
const flat = (text) => text.replace(/[\s⏎]+/g, " ");
let bodies = new WeakMap(); // the texts of folds, until the page changes
const AROUND = 16;
function isRepeated({ from, fromAt, toAt, to }, fold) {
	const body = one(":scope > :not(summary)", fold);
	if (!body) return false;
	if (!bodies.has(body)) bodies.set(body, flat(body.textContent));
	const end = from === to ? toAt : from.length;
	return bodies.get(body).includes(flat(from.data.slice(Math.max(0, fromAt - AROUND), end + AROUND)).replace(/…$/, "").trim());
}

// lookAgain searches again when texts have arrived. A marked hit stays marked if it counts.
function lookAgain() {
	if (!box || box.hidden || due || !wanted) return;
	const was = hits[at], isFirst = at === 0, isLast = at === hits.length - 1 && at > 0;
	let i = look();
	if (!was || !hits.length) return;
	if (isFirst) i = 0;
	if (isLast) i = hits.length - 1;
	if (hits[i].from === was.from && hits[i].fromAt === was.fromAt) point(i);
	else show(i);
}

function mark(name, ranges) {
	if (window.Highlight) CSS.highlights.set(name, new Highlight(...ranges));
}

// countsOf returns the numbers of hits in the messages of a page, by anchor, without those that have none.
function countsOf(page) {
	if (counts.has(page) || !texts.has(page)) return counts.get(page) || new Map();
	const some = new Map();
	for (const { anchor, text } of wanted ? texts.get(page) : []) {
		const n = text.match(wanted)?.length;
		if (n) some.set(anchor, (some.get(anchor) || 0) + n);
	}
	counts.set(page, some);
	return some;
}

const countOn = (page) => [...countsOf(page).values()].reduce((sum, n) => sum + n, 0);

// tally shows the number of the current hit and the total, which grows while texts arrive.
function tally() {
	if (!box || box.hidden) return;
	said.ariaBusy = String(arriving || !!due); // the text will change
	const sum = (some) => some.reduce((n, page) => n + countOn(page), 0);
	const before = sum(pages.slice(0, pages.indexOf(here))), elsewhere = sum(pages.filter((page) => page !== here));
	// Hits in parts of long messages that this page does not show come after its last hit.
	const own = countOn(here) || (texts.has(here) && elsewhere ? 0 : hits.length), i = at === hits.length - 1 ? own : Math.min(at + 1, own);
	said.textContent = !wanted ? "" : at >= 0 ? `${before + i} of ${own + elsewhere}` : elsewhere ? `${elsewhere} on other pages` : "nothing found";
}

const query = (n) => `#find=${encodeURIComponent(words.value.trim())}&n=${n}`;

// point marks a hit as the current one.
function point(i) {
	const { from, fromAt, to, toAt } = hits[i], range = new Range();
	at = i;
	range.setStart(from, fromAt);
	range.setEnd(to, toAt);
	mark("found-now", [range]);
	tally();
	return range;
}

// show goes to a hit of this page.
function show(i) {
	if (!hits[i]) return;
	const range = point(i), from = range.startContainer;
	opened = opened.filter((fold) => fold.contains(from) || (fold.open = false));
	opened.push(...unfold(from.parentElement));
	raise(from.parentElement);
	let el = from.parentElement;
	while (!visible(el)) el = el.parentElement;
	const row = from.parentElement.closest("summary");
	if (row && !row.parentElement.open && isCut(range, row)) {
		row.parentElement.open = true;
		opened.push(row.parentElement);
	}
	let spot = range.getBoundingClientRect();
	if (!spot.height) spot = el.getBoundingClientRect(); // a fact that is hidden on narrow screens
	scrollBy({ top: spot.top - innerHeight * 0.4, behavior: "instant" });
	// Code scrolls in its own box.
	const pre = el.closest("pre, .table");
	if (pre) {
		const inside = pre.getBoundingClientRect();
		if (spot.right > inside.right || spot.left < inside.left) pre.scrollLeft += spot.left - inside.left - inside.width / 3;
	}
	setAddress(query(i + 1));
}

// raise sets the lowest level that shows an element.
function raise(el) {
	const radios = all(".levels input"), was = radios.findIndex((radio) => radio.checked), before = radios[was];
	for (let i = was + 1; !visible(el) && i < radios.length; i++) radios[i].checked = true;
	if (!visible(el) && was >= 0) radios[was].checked = true;
	level = one(".levels :checked");
	if (level !== before) raised = { from: raised?.to === before ? raised.from : before, to: level };
}

// lower undoes raise, unless the reader has chosen a level since.
function lower() {
	if (raised && level === raised.to) changing(() => {
		raised.from.checked = true;
		level = raised.from;
	});
	raised = null;
}

// isCut returns whether a row is too narrow to show a hit.
function isCut(range, row) {
	const spot = range.getBoundingClientRect();
	for (let el = range.startContainer.parentElement; el && el !== row.parentElement; el = el.parentElement) {
		const edge = el.getBoundingClientRect();
		if (getComputedStyle(el).overflowX !== "visible" && (spot.right > edge.right + 1 || spot.bottom > edge.bottom + 4)) return true;
	}
	return !spot.height;
}

// hop goes to the next hit, on another page if this one has no more.
async function hop(by) {
	if (due) return show(look());
	if (hits[at + by]) return show(at + by);
	await loading;
	const from = pages.indexOf(here);
	for (let i = 1; i < pages.length; i++) {
		const page = pages[(from + by * i + pages.length) % pages.length];
		if (countOn(page)) {
			location.href = site + folder + page + query(by > 0 ? 1 : -1);
			return;
		}
	}
	show(by > 0 ? 0 : hits.length - 1);
}

function openBox() {
	if (!box) {
		const button = (label, fn, cls) => {
			const el = make("button", "", "ib " + cls);
			el.type = "button";
			el.ariaLabel = el.title = label;
			on("click", fn, el);
			return el;
		};
		box = make("search", "", "find");
		words = make("input");
		words.type = "search";
		words.ariaLabel = words.placeholder = "Search in this session";
		said = make("output");
		box.append(words, said, button("Previous", () => hop(-1), "up"), button("Next", () => hop(1), "down"), button("Close", closeBox, "close"));
		on("input", () => { clearTimeout(due); due = setTimeout(() => show(look()), 150); tally(); }, words);
		on("keydown", (e) => {
			if (e.key === "Escape") closeBox();
			else if (e.key === "Enter" && e.target === words && !e.isComposing) hop(e.shiftKey ? -1 : 1);
			else return;
			e.preventDefault();
		}, box);
		one(".top").after(box);
	}
	if (box.hidden || !back) back = doc.activeElement;
	box.hidden = false;
	loading ||= loadTexts();
}

function find() {
	const chosen = String(getSelection()).trim();
	openBox();
	if (chosen && chosen.length < 80) words.value = chosen;
	words.focus();
	words.select();
	show(look());
}

function closeBox() {
	clearTimeout(due);
	box.hidden = true;
	mark("found", []);
	mark("found-now", []);
	if (location.hash.startsWith("#find=")) setAddress(address);
	// The reader continues at the hit.
	let el = hits[at]?.from.parentElement.closest("summary, [id]");
	if (el?.localName === "details") el = el.firstElementChild;
	lower();
	while (el && !visible(el)) el = el.parentElement.closest("[id]");
	if (el?.localName === "main") el = null;
	if (el?.tabIndex < 0) el.tabIndex = -1;
	words.blur(); // a page without focus does not take it from a hidden box before the next frame
	(el || back).focus({ preventScroll: true });
	opened = [];
}

// findAgain searches a page that has changed. The texts of the others are read again when the box is opened.
function findAgain() {
	loading = null;
	bodies = new WeakMap();
	if (!box || box.hidden) return;
	loadTexts(true);
	const was = at, i = look();
	if (was >= 0 && hits[i]) point(i);
}

// resume continues a search from another page. n is the number of the hit, from the end if it is negative.
function resume() {
	const state = new URLSearchParams(location.hash.slice(1));
	if (!state.has("find") || !one(".levels")) return;
	openBox();
	words.value = state.get("find");
	words.focus({ preventScroll: true });
	look();
	const n = +state.get("n") || 1, at = doc.getElementById(state.get("at"));
	if (state.has("at")) { // from a search over all sessions
		const here = at?.closest("details") || at, i = hits.findIndex((hit) => here?.contains(hit.from));
		if (i >= 0) return show(i);
		if (at) {
			unfold(at);
			return at.scrollIntoView();
		}
	}
	show(Math.max(0, Math.min(n < 0 ? hits.length + n : n - 1, hits.length - 1)));
}
