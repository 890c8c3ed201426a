// What pages gain where scripts run. Loaded with async: theme and level come first, the rest waits for the parser.
(() => {
"use strict";
const doc = document, root = doc.documentElement;
const one = (sel, from = doc) => from.querySelector(sel);
const all = (sel, from = doc) => [...from.querySelectorAll(sel)];
const on = (event, fn, from = doc) => from.addEventListener(event, fn);
const top = (el) => el.getBoundingClientRect().top;
const visible = (el) => el.checkVisibility();
const make = (name, text = "", cls = "") => Object.assign(doc.createElement(name), { textContent: text, className: cls });

const recall = (key) => { try { return localStorage["viewer." + key] || ""; } catch { return ""; } }; // storage may be blocked
const remember = (key, value) => { try { localStorage["viewer." + key] = value; } catch { /* or full */ } };

// ---- theme and level ----

if (/^(light|dark)$/.test(recall("theme"))) root.dataset.theme = recall("theme");

function toggleTheme() {
	const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
	// Back at what the system says, the page follows the system again.
	if (next === system) delete root.dataset.theme;
	else root.dataset.theme = next;
	remember("theme", root.dataset.theme || "");
}

function restoreLevel() {
	const radio = doc.getElementById("level-" + recall("level"));
	if (radio) radio.checked = true;
	return one(".levels");
}
const parsed = new MutationObserver(() => { if (restoreLevel()) parsed.disconnect(); });
if (!restoreLevel()) parsed.observe(root, { childList: true, subtree: true });

// ---- local times ----

// inPattern writes a time with the parts that the text has: seconds, weekday and year only where they were.
function inPattern(text, t) {
	const [weekday, month, day, year] = t.toDateString().split(" "); // English by definition
	return text
		.replace(/\d\d:\d\d(:\d\d)?/, (clock) => t.toTimeString().slice(0, clock.length))
		.replace(/^[A-Z][a-z]+ (?=\d)/, weekday + " ")
		.replace(/\d+ [A-Z][a-z]+( \d{4})?/, (_, y) => `${+day} ${month}${y ? " " + year : ""}`);
}
const dayOf = (t) => t.toLocaleDateString("sv"); // 2026-05-12

function localTimes() {
	for (const el of all("time[data-f]:not([data-f=day])")) {
		const t = new Date(el.dateTime);
		if (isNaN(t)) continue;
		const text = inPattern(el.textContent, t);
		if (text !== el.textContent) el.textContent = text;
		el.title = el.dateTime.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
	}
}

// The days of the index are UTC days; where local days differ, rows move below theirs.
function localDays() {
	const heading = (set) => one("h2 time", set);
	const start = (row) => new Date(one("time", row).dateTime);
	const sets = all(".dayset").filter(heading);
	const rows = sets.flatMap((set) => all(".srow", set));
	if (rows.some((row) => dayOf(start(row)) !== heading(row.closest(".dayset")).dateTime)) {
		let day, list, n = 0;
		for (const row of rows) {
			if (dayOf(start(row)) !== day) {
				day = dayOf(start(row));
				if (n === sets.length) sets[n - 1].after(sets[n] = sets[n - 1].cloneNode(true));
				const time = heading(sets[n]);
				time.dateTime = day;
				time.textContent = inPattern(time.textContent, start(row));
				list = one(".list", sets[n++]);
				list.replaceChildren();
			}
			list.append(row);
		}
		sets.splice(n).forEach((set) => set.remove());
	}
	const now = new Date(), words = { [dayOf(now)]: "Today · " };
	words[dayOf(new Date(now.setDate(now.getDate() - 1)))] = "Yesterday · ";
	sets.map(heading).forEach((time) => time.prepend(words[time.dateTime] || ""));
}

// ---- deep links ----

// reveal opens what is folded around the target; a browser that did so itself has scrolled already.
function reveal() {
	const target = doc.getElementById(location.hash.slice(1));
	let opened = false;
	for (let el = target; el; el = el.parentElement) {
		if (el.localName === "details" && !el.open) opened = el.open = true;
	}
	if (opened) target.scrollIntoView();
}

// ---- outline ----

let place; // the turn being read

function outline() {
	const nav = one(".out"), seen = new Set(), turns = all("main > .turn");
	const links = new Map(all(".out .toc a").map((a) => [a.hash, a]));
	const linkOf = (turn) => links.get("#" + (turn?.id || turn && one(".prompt", turn)?.id));
	const watch = new IntersectionObserver((entries) => {
		entries.forEach((e) => seen[e.isIntersecting ? "add" : "delete"](e.target));
		const now = turns.find((turn) => seen.has(turn)) || place;
		if (now === place) return;
		linkOf(place)?.removeAttribute("aria-current");
		place = now;
		const link = linkOf(now);
		if (!link) return;
		link.setAttribute("aria-current", "true");
		// By hand: scrollIntoView would move the page as well.
		const y = top(link) - top(nav);
		if (y < 0 || y > nav.clientHeight - 60) nav.scrollTop += y - nav.clientHeight / 2;
	}, { rootMargin: "-64px 0px -75% 0px" });
	turns.forEach((turn) => watch.observe(turn));

	// On a phone the open outline pushes away the text that it leads to.
	const fold = nav && one("details", nav);
	if (fold) on("click", (e) => { if (e.target.closest("a") && visible(one("summary", fold))) fold.open = false; }, nav);
}

// ---- copying ----

let offered = null; // the block under the copy button
const copier = make("button", "", "copy");

// source is the text of a block together with the part of it that is folded below.
function source(pre) {
	const inside = (el) => el && (el.matches("pre") ? el : one("pre:not(.gut)", el));
	const block = pre.closest(".src") || pre, above = block.parentElement.closest(".more")?.previousElementSibling;
	const head = inside(above) ? above : block, rest = head.nextElementSibling;
	return [inside(head), rest?.matches(".more") && inside(rest)].filter(Boolean).map((el) => el.textContent.replace(/\n$/, "")).join("\n");
}

// Outside of secure contexts, as on a plain http host, there is only the old command.
async function copy(text) {
	if (navigator.clipboard) return navigator.clipboard.writeText(text);
	const area = make("textarea", text, "vh");
	doc.body.append(area);
	area.select();
	doc.execCommand("copy");
	area.remove();
}

function copyOffered() {
	if (offered) copy(source(offered)).then(() => { copier.textContent = "Copied"; }, () => {});
}

// One button for all blocks, on the corner of the one under the pointer or in focus.
function offer(e) {
	const pre = e.target.closest?.("pre:not(.gut)") || null;
	if (e.target === copier || pre === offered) return;
	offered = pre;
	if (!pre) return copier.remove();
	copier.textContent = "Copy";
	doc.body.append(copier);
	copier.style.top = `${top(pre) + scrollY + 6}px`;
	copier.style.left = `${pre.getBoundingClientRect().right - copier.offsetWidth - 8}px`;
}

// ---- keys ----

const HELP = {
	"j k": "next, previous prompt", "n p": "next, previous call", e: "open or close, the one in focus or all", x: "close all",
	c: "copy the block in focus", "1 2 3 4": "level", "[ ]": "previous, next page", "/": "filter", t: "light or dark",
	"g i": "index", "?": "this help",
};

function help() {
	let box = one(".keys");
	if (!box) {
		box = make("dialog", "", "keys");
		box.setAttribute("aria-label", "Keys");
		const list = make("dl"), close = make("button", "Close", "pill");
		for (const [keys, what] of Object.entries(HELP)) {
			const dt = make("dt");
			keys.split(" ").forEach((k) => dt.append(make("kbd", k), " "));
			list.append(dt, make("dd", what));
		}
		on("click", () => box.close(), close);
		box.append(list, close);
		doc.body.append(box);
	}
	box.showModal();
}

// step moves the focus along items: from the one in focus if it is on the screen, else from what is at the top.
function step(sel, by) {
	const items = all(sel).filter(visible), turns = !sel.endsWith(".row");
	const edge = parseFloat(getComputedStyle(root).scrollPaddingTop) || 0;
	let i = items.indexOf(doc.activeElement);
	if (i >= 0 && Math.abs(top(items[i])) < innerHeight) i += by;
	else i = by > 0 ? items.findIndex((el) => top(el) > edge + 8) : items.findLastIndex((el) => top(el) < edge - 8);
	const el = items[i];
	if (!el) return;
	if (turns) el.tabIndex = -1;
	el.focus({ preventScroll: true });
	if (turns) el.scrollIntoView();
	else if (top(el) < edge || top(el) > innerHeight * 0.8) el.scrollIntoView({ block: "center" });
}

function unfold() {
	const fold = doc.activeElement.closest("summary")?.parentElement;
	if (fold) fold.open = !fold.open;
	else foldAll(all("main details").some((el) => !el.open && visible(el)));
}
const foldAll = (open) => all("main details").forEach((el) => { el.open = open; });

const PROMPTS = "main > .turn > .prompt", CALLS = "main summary.row";
let lead = 0; // time of the last g
const ACTIONS = {
	j: () => step(PROMPTS, 1), k: () => step(PROMPTS, -1), n: () => step(CALLS, 1), p: () => step(CALLS, -1),
	e: unfold, x: () => foldAll(false), c: copyOffered, t: toggleTheme, "?": help,
	g: () => { lead = Date.now(); }, i: () => { if (Date.now() - lead < 1500) one(".crumb a")?.click(); },
	"[": () => one("a[rel=prev]")?.click(), "]": () => one("a[rel=next]")?.click(), "/": () => one("#filter")?.focus(),
};

function onKey(e) {
	if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
	if (e.target.closest("input:not([type=radio]), select") || one("dialog[open]")) return;
	const level = /^[1-9]$/.test(e.key) && all(".levels input")[e.key - 1];
	if (level) level.click();
	else if (Object.hasOwn(ACTIONS, e.key)) ACTIONS[e.key]();
	else return;
	e.preventDefault();
}

function onLevel(e) {
	if (e.target.name !== "level") return;
	remember("level", e.target.id.slice("level-".length));
	// What was read stays on the screen though all above it has changed its height.
	if (place && scrollY > 0 && (top(place) < 0 || top(place) > innerHeight / 2)) place.scrollIntoView();
}

// ---- index filter ----

function filter() {
	const bar = one(".bar");
	if (!bar) return;
	const input = one("input", bar), facets = all("[data-facet]", bar), count = one("output", bar);
	const rows = all(".srow").map((el) => ({ el, text: `${el.textContent} ${el.dataset.text || ""}`.toLowerCase() }));
	const isList = (f) => f.localName === "select", has = (row, f) => row.el.dataset[f.dataset.facet] || "";
	const wanted = (f) => isList(f) ? f.value : f.ariaPressed === "true" ? "1" : "";

	for (const f of facets.filter(isList)) {
		f.append(...[...new Set(rows.map((row) => has(row, f)))].filter(Boolean).sort().map((v) => new Option(v, v)));
	}
	function apply() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), active = facets.filter(wanted);
		const out = rows.filter((row) => row.el.hidden = !words.every((w) => row.text.includes(w)) ||
			!active.every((f) => isList(f) ? has(row, f) === f.value : has(row, f) > 0));
		all(".dayset").forEach((set) => { set.hidden = !one(".srow:not([hidden])", set); });
		count.textContent = words.length + active.length ? `${rows.length - out.length} of ${rows.length} sessions` : "";
	}
	function save() {
		const state = new URLSearchParams(facets.filter(wanted).map((f) => [f.dataset.facet, wanted(f)]));
		if (input.value.trim()) state.set("q", input.value.trim());
		history.replaceState(null, "", `#${state}`);
		apply();
	}
	function load() {
		if (/^#[^=]+$/.test(location.hash)) return;
		const state = new URLSearchParams(location.hash.slice(1));
		input.value = state.get("q") || "";
		for (const f of facets) {
			if (isList(f)) f.value = state.get(f.dataset.facet) || "";
			else f.ariaPressed = String(state.has(f.dataset.facet));
		}
		apply();
	}
	on("input", save, bar);
	on("click", (e) => {
		const pill = e.target.closest("button[data-facet]");
		if (!pill) return;
		pill.ariaPressed = String(!wanted(pill));
		save();
	}, bar);
	on("hashchange", load, window);
	load();
}

function start() {
	parsed.disconnect();
	localTimes();
	localDays();
	filter();
	reveal();
	outline();
	on("hashchange", reveal, window);
	on("keydown", onKey);
	on("change", onLevel);
	on("pointerover", offer);
	on("focusin", offer);
	on("click", copyOffered, copier);
	one("[data-act=theme]")?.addEventListener("click", toggleTheme);
	root.dataset.ready = "";
}
if (doc.readyState === "loading") on("DOMContentLoaded", start);
else start();
})();
