// What pages gain where scripts may run: local times, remembered theme and level, keys, copying, deep links into folds,
// the current place in the outline, and the index filter. Pages say everything without it. Loaded with async: the first
// part needs no body and sets the theme before the first paint where it can; the rest waits for the parser.
(() => {
"use strict";
const doc = document, root = doc.documentElement;
const one = (sel, from = doc) => from.querySelector(sel);
const all = (sel, from = doc) => [...from.querySelectorAll(sel)];
const visible = (el) => el.checkVisibility ? el.checkVisibility() : el.getClientRects().length > 0;
const make = (name, text = "", cls = "") => {
	const el = doc.createElement(name);
	el.textContent = text;
	if (cls) el.className = cls;
	return el;
};

// Storage can be blocked or full; then nothing is remembered.
const recall = (key) => { try { return localStorage.getItem("viewer." + key); } catch { return null; } };
const remember = (key, value) => {
	try {
		if (value === null) localStorage.removeItem("viewer." + key);
		else localStorage.setItem("viewer." + key, value);
	} catch { /* not remembered */ }
};

// ---- theme and level, as early as possible ----

const stored = recall("theme");
if (stored === "light" || stored === "dark") root.dataset.theme = stored;

function toggleTheme() {
	const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
	// Back at what the system says, the page follows the system again.
	if (next === system) delete root.dataset.theme;
	else root.dataset.theme = next;
	remember("theme", next === system ? null : next);
}

function restoreLevel() {
	const radio = /^[a-z]+$/.test(recall("level") || "") && doc.getElementById("level-" + recall("level"));
	if (radio) radio.checked = true;
	return one(".levels") !== null;
}
if (!restoreLevel() && doc.readyState === "loading") {
	const watch = new MutationObserver(() => { if (restoreLevel()) watch.disconnect(); });
	watch.observe(root, { childList: true, subtree: true });
	doc.addEventListener("DOMContentLoaded", () => watch.disconnect());
}

// ---- local times ----

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekday = new RegExp(`\\b(${WEEKDAYS.join("|")})\\b`);
const dayMonth = new RegExp(`\\b\\d{1,2} (${MONTHS.join("|")})( \\d{4})?`);
const two = (n) => String(n).padStart(2, "0");
const dayOf = (t) => `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())}`;

// inPattern writes a time with the parts that the text has: seconds, weekday and year only where they were.
function inPattern(text, t) {
	return text
		.replace(/\d\d:\d\d(:\d\d)?/, (_, s) => `${two(t.getHours())}:${two(t.getMinutes())}${s ? ":" + two(t.getSeconds()) : ""}`)
		.replace(weekday, WEEKDAYS[t.getDay()])
		.replace(dayMonth, (_, m, y) => `${t.getDate()} ${MONTHS[t.getMonth()]}${y ? " " + t.getFullYear() : ""}`);
}

function localTimes() {
	for (const el of all("time[data-f]:not([data-f=day])")) {
		const t = new Date(el.dateTime);
		if (isNaN(t)) continue;
		const text = inPattern(el.textContent, t);
		if (text !== el.textContent) el.textContent = text;
		el.title = el.dateTime.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
	}
}

// The days of the index are UTC days. Where local days differ, rows move below the day on which the reader saw them.
function localDays() {
	const heading = (set) => one("h2 time", set);
	const start = (row) => new Date(one("time", row).dateTime);
	let sets = all(".dayset").filter(heading);
	const rows = sets.flatMap((set) => all(".srow", set)).filter((row) => one("time", row));
	const moved = (row) => dayOf(start(row)) !== heading(row.closest(".dayset")).dateTime;
	if (rows.some(moved)) {
		let day = "", list = null, n = 0;
		for (const row of rows) {
			const t = start(row);
			if (dayOf(t) !== day) {
				day = dayOf(t);
				if (n === sets.length) {
					sets.push(sets[n - 1].cloneNode(true));
					sets[n - 1].after(sets[n]);
				}
				heading(sets[n]).dateTime = day;
				heading(sets[n]).textContent = inPattern(heading(sets[n]).textContent, t);
				list = one(".list", sets[n++]);
				list.replaceChildren();
			}
			list.append(row);
		}
		sets.splice(n).forEach((set) => set.remove());
	}
	const now = new Date();
	const names = { [dayOf(now)]: "Today", [dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))]: "Yesterday" };
	sets.map(heading).forEach((el) => { if (names[el.dateTime]) el.textContent = `${names[el.dateTime]} · ${el.textContent}`; });
}

// ---- deep links ----

// reveal opens whatever is folded around the target. Browsers that did so themselves have scrolled already.
function reveal() {
	let id = location.hash.slice(1);
	try { id = decodeURIComponent(id); } catch { /* taken as it stands */ }
	const target = id && doc.getElementById(id);
	if (!target) return;
	let opened = false;
	for (let el = target; el; el = el.parentElement) {
		if (el.localName === "details" && !el.open) opened = el.open = true;
	}
	if (opened) target.scrollIntoView();
}

// ---- outline ----

let place = null; // the turn being read

function outline() {
	const nav = one(".out");
	const links = new Map(all(".toc a", nav || doc.createElement("i")).map((a) => [a.hash.slice(1), a]));
	const turns = all("main > .turn[id]");
	if (!("IntersectionObserver" in window) || turns.length === 0) return;
	const seen = new Set();
	const watch = new IntersectionObserver((entries) => {
		entries.forEach((e) => seen[e.isIntersecting ? "add" : "delete"](e.target));
		const now = turns.findLast((turn) => seen.has(turn));
		if (!now || now === place) return;
		links.get(place?.id)?.removeAttribute("aria-current");
		place = now;
		const link = links.get(now.id);
		if (!link) return;
		link.setAttribute("aria-current", "true");
		// Moving the outline by hand: scrollIntoView would move the page as well.
		const box = nav.getBoundingClientRect(), at = link.getBoundingClientRect();
		if (at.top < box.top || at.bottom > box.bottom) nav.scrollTop += at.top - box.top - box.height / 2;
	}, { rootMargin: "-15% 0px -75% 0px" });
	turns.forEach((turn) => watch.observe(turn));

	// On a phone the outline lies over the text that it leads to.
	const fold = nav && one("details", nav);
	nav?.addEventListener("click", (e) => {
		if (e.target.closest("a") && visible(one("summary", fold))) fold.open = false;
	});
}

// ---- copying ----

let copier = null, offered = null;

// source is the text of a block together with the part of it that is folded below.
function source(pre) {
	let box = pre.closest(".src") || pre;
	const above = box.parentElement.closest(".more")?.previousElementSibling;
	const textIn = (el) => (el.matches("pre") ? el : one("pre:not(.gut)", el))?.textContent;
	if (above && textIn(above) !== undefined) box = above;
	const rest = box.nextElementSibling;
	const parts = [textIn(box), rest?.matches(".more") ? textIn(rest) : undefined];
	return parts.filter((s) => s !== undefined).map((s) => s.replace(/\n$/, "")).join("\n");
}

async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = make("textarea", text, "vh");
		doc.body.append(area);
		area.select();
		const done = doc.execCommand("copy");
		area.remove();
		return done;
	}
}

// One button for all blocks, laid over the corner of the one under the pointer or with the focus.
function offerCopy(pre) {
	if (pre === offered) return;
	offered = pre;
	if (!pre) return copier?.remove();
	if (!copier) {
		copier = make("button", "Copy", "copy");
		copier.type = "button";
		copier.addEventListener("click", copyOffered);
	}
	copier.textContent = "Copy";
	doc.body.append(copier);
	const at = pre.getBoundingClientRect();
	copier.style.top = `${at.top + scrollY + 6}px`;
	copier.style.left = `${at.right + scrollX - copier.offsetWidth - 8}px`;
}

async function copyOffered() {
	const from = offered;
	if (!from) return;
	const done = await copy(source(from));
	if (from === offered) copier.textContent = done ? "Copied" : "Not copied";
}

function copying() {
	const offer = (e) => {
		if (e.target !== copier) offerCopy(e.target.closest?.("pre:not(.gut), .gut + pre") || null);
	};
	doc.addEventListener("pointerover", offer);
	doc.addEventListener("focusin", offer);
	doc.addEventListener("toggle", () => offerCopy(null), true);
}

// ---- keys ----

const KEYS = [
	["j k", "next, previous prompt"], ["n p", "next, previous call"], ["e", "open or close the call in focus, or all"], ["x", "close all"],
	["c", "copy the block in focus or under the pointer"], ["1 – 4", "level"], ["[ ]", "previous, next page"], ["/", "filter"],
	["t", "light or dark"], ["g i", "index"], ["?", "this help"],
];

function help() {
	let box = one("dialog.keys");
	if (!box) {
		box = make("dialog", "", "keys");
		const list = make("dl");
		for (const [keys, what] of KEYS) {
			const dt = make("dt");
			keys.split(" ").forEach((k) => dt.append(k === "–" ? "–" : make("kbd", k), " "));
			list.append(dt, make("dd", what));
		}
		const form = make("form"), close = make("button", "Close", "pill");
		form.method = "dialog";
		form.append(close);
		const title = make("h2", "Keys");
		title.id = "keys-title";
		box.setAttribute("aria-labelledby", title.id);
		box.append(title, list, form);
		close.addEventListener("click", (e) => { e.preventDefault(); box.close(); });
		doc.body.append(box);
	}
	box.open ? box.close() : box.showModal();
}

// step moves the focus along items, from the one in focus or else from the place on the screen.
function step(items, by, align) {
	const edge = parseFloat(getComputedStyle(root).scrollPaddingTop) || 0;
	const top = (el) => el.getBoundingClientRect().top;
	let i = items.findLastIndex((el) => el === doc.activeElement || (align && el.contains(doc.activeElement)));
	if (i >= 0 && top(items[i]) > -innerHeight && top(items[i]) < 2 * innerHeight) i += by;
	else if (by > 0) i = items.findIndex((el) => top(el) > edge + 8);
	else i = items.findLastIndex((el) => top(el) < edge - 8);
	const el = items[i];
	if (!el) return;
	if (!el.matches("summary")) el.tabIndex = -1;
	el.focus({ preventScroll: true });
	if (align) el.scrollIntoView();
	else if (top(el) < edge || top(el) > innerHeight * 0.8) el.scrollIntoView({ block: "center" });
}

function foldAll(open) {
	all("main details").forEach((el) => { el.open = open; });
}

function unfold() {
	const fold = doc.activeElement?.closest("summary")?.parentElement;
	if (fold) fold.open = !fold.open;
	else foldAll(all("main details").some((el) => !el.open && visible(el)));
}

let lead = 0; // when g was pressed

const ACTIONS = {
	j: () => step(all("main > .turn, main > .turn > .prompt[id]").filter(visible), 1, true),
	k: () => step(all("main > .turn, main > .turn > .prompt[id]").filter(visible), -1, true),
	n: () => step(all("main summary.row").filter(visible), 1, false),
	p: () => step(all("main summary.row").filter(visible), -1, false),
	e: unfold,
	x: () => foldAll(false),
	c: copyOffered,
	t: toggleTheme,
	g: () => { lead = Date.now(); },
	i: () => { if (Date.now() - lead < 1500) one(".crumb a")?.click(); },
	"[": () => one("a[rel=prev]")?.click(),
	"]": () => one("a[rel=next]")?.click(),
	"/": () => one("#filter")?.focus(),
	"?": help,
};

function onKey(e) {
	if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
	const field = e.target.closest?.("input:not([type=radio]), select, textarea");
	if (field) {
		if (e.key === "Escape") field.blur();
		return;
	}
	if (one("dialog[open]") && e.key !== "?") return;
	const level = /^[1-9]$/.test(e.key) && all(".levels input")[e.key - 1];
	if (level) level.click();
	else if (Object.hasOwn(ACTIONS, e.key)) ACTIONS[e.key]();
	else return;
	e.preventDefault();
}

function onLevel(e) {
	if (e.target.name !== "level") return;
	remember("level", e.target.id.replace("level-", ""));
	// What was read stays on the screen although everything above it has changed its height.
	const at = place?.getBoundingClientRect().top;
	if (scrollY > 0 && (at < 0 || at > innerHeight / 2)) place.scrollIntoView();
}

// ---- index filter ----

function filter() {
	const bar = one(".bar"), input = bar && one("input", bar);
	if (!input) return;
	const facets = all("[data-facet]", bar), count = one("output", bar), sets = all(".dayset");
	const rows = all(".srow").map((el) => ({ el, text: `${el.textContent} ${el.dataset.text || ""}`.toLowerCase() }));

	for (const select of facets.filter((f) => f.localName === "select")) {
		const values = new Set(rows.map((row) => row.el.dataset[select.dataset.facet]).filter(Boolean));
		if (select.options.length < 2) select.append(...[...values].sort().map((v) => new Option(v, v)));
	}
	const valueOf = (f) => f.localName === "select" ? f.value : f.getAttribute("aria-pressed") === "true" ? "1" : "";

	function apply() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const { el, text } of rows) {
			const fits = words.every((w) => text.includes(w)) && facets.every((f) => {
				const want = valueOf(f), has = el.dataset[f.dataset.facet] || "";
				return !want || (f.localName === "select" ? has === want : has !== "" && has !== "0");
			});
			el.hidden = !fits;
			shown += fits;
		}
		sets.forEach((set) => { set.hidden = !one(".srow:not([hidden])", set); });
		const active = words.length > 0 || facets.some(valueOf);
		if (count) count.textContent = active ? `${shown} of ${rows.length} sessions` : "";
		return active;
	}
	function save() {
		const state = new URLSearchParams();
		if (input.value.trim()) state.set("q", input.value.trim());
		facets.forEach((f) => { if (valueOf(f)) state.set(f.dataset.facet, valueOf(f)); });
		history.replaceState(null, "", apply() ? `#${state}` : location.pathname + location.search);
	}
	function load() {
		if (location.hash.length > 1 && !location.hash.includes("=")) return;
		const state = new URLSearchParams(location.hash.slice(1));
		input.value = state.get("q") || "";
		facets.forEach((f) => {
			const value = state.get(f.dataset.facet) || "";
			if (f.localName === "select") f.value = value;
			else f.setAttribute("aria-pressed", String(value !== ""));
		});
		apply();
	}
	input.addEventListener("input", save);
	bar.addEventListener("change", save);
	bar.addEventListener("click", (e) => {
		const pill = e.target.closest("button[data-facet]");
		if (!pill) return;
		pill.setAttribute("aria-pressed", String(pill.getAttribute("aria-pressed") !== "true"));
		save();
	});
	window.addEventListener("hashchange", load);
	load();
}

// ---- start ----

function start() {
	restoreLevel();
	localTimes();
	localDays();
	filter();
	reveal();
	outline();
	copying();
	one("[data-act=theme]")?.addEventListener("click", toggleTheme);
	window.addEventListener("hashchange", reveal);
	doc.addEventListener("keydown", onKey);
	doc.addEventListener("change", onLevel);
	root.dataset.ready = "";
}
if (doc.readyState === "loading") doc.addEventListener("DOMContentLoaded", start);
else start();
})();
