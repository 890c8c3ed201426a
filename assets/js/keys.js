// ---- keys ----

const HELP = {
	"j k": "next, previous prompt", "n p": "next, previous call", "f F": "next, previous call that failed", "[ ]": "previous, next page", "/": "search in this session", "Ctrl K": "search all sessions",
	e: "open or close, the one in focus or all", x: "close all", "1 2 3 4 5": "level", c: "copy the code, command or message in focus",
	s: "prompts as they were typed, or drawn", m: "copy the message or call as Markdown", M: "copy the turn as Markdown", w: "save the turn as a file", l: "copy a link to this place", t: "light or dark", "g i": "index", "?": "this help",
};
const ON_INDEX = { "j k": "next, previous session", "/": "search all sessions", f: "filter" };

function help() {
	let box = one(".keys");
	if (!box) {
		box = make("dialog", "", "keys");
		const heading = make("h2", "Keys"), list = make("dl"), use = make("label"), toggle = make("input"), close = make("button", "Close", "pill");
		heading.id = "keys-heading";
		box.setAttribute("aria-labelledby", heading.id);
		for (const [keys, what] of Object.entries(one(".levels") ? HELP : { ...ON_INDEX, t: HELP.t, "?": HELP["?"] })) {
			const dt = make("dt");
			for (const k of what === HELP["Ctrl K"] ? [keys] : keys.split(" ")) dt.append(keyButton(k, what, box), " ");
			list.append(dt, make("dd", what));
		}
		// Speech input can trigger keys by accident.
		toggle.type = "checkbox";
		toggle.checked = recall("keys") !== "off";
		on("change", () => remember("keys", toggle.checked ? "" : "off"), toggle);
		use.append(toggle, " Use these keys");
		on("click", () => box.close(), close);
		box.append(heading, list, use, close);
		doc.body.append(box);
	}
	box.showModal();
}

// keyButton returns a button that does what a key does, for devices without keys.
function keyButton(key, what, box) {
	const b = make("button");
	b.type = "button";
	b.ariaLabel = `${key}: ${what}`;
	b.append(make("kbd", key));
	on("click", () => {
		box.close();
		if (key === "Ctrl K") search();
		else if (/^[gi]$/.test(key)) one(".crumb a")?.click();
		else if (key !== "?") act(key);
	}, b);
	return b;
}

// step moves the focus along items: from the focused one if it is on the screen, otherwise from the top of the screen.
function step(sel, by) {
	const items = all(sel).filter(visible), isCall = sel === CALLS;
	const edge = barEdge();
	let i = items.indexOf(doc.activeElement);
	if (i >= 0 && Math.abs(top(items[i])) < innerHeight) i += by;
	else i = by > 0 ? items.findIndex((el) => top(el) > edge + 8) : items.findLastIndex((el) => top(el) < edge - 8);
	const el = items[i];
	if (!el) return;
	if (el.tabIndex < 0) el.tabIndex = -1;
	el.focus({ preventScroll: true });
	if (!isCall) el.scrollIntoView();
	else if (top(el) < edge || top(el) > innerHeight * 0.8) el.scrollIntoView({ block: "center" });
}

function toggleFold() {
	const fold = doc.activeElement.closest("summary")?.parentElement;
	if (fold) fold.open = !fold.open;
	else foldAll(folds().some((el) => !el.open && visible(el)));
}
const folds = () => all("main details:not(.facet)").filter((el) => !el.matches(".steps") || visible(el)); // not lines of another level
const foldAll = (open) => changing(() => folds().forEach((el) => { el.open = open; }));

const STOPS = `${TURNS} > .prompt, .srow .ti a`, CALLS = "main .turn .row";
let lastG = 0; // time of the last g
const ACTIONS = {
	j: () => step(STOPS, 1), k: () => step(STOPS, -1), n: () => selected ? stepCall(1) : step(CALLS, 1), p: () => selected ? stepCall(-1) : step(CALLS, -1),
	e: toggleFold, x: () => foldAll(false), c: () => copyText(current()), m: () => copyMarkdown(messageOf(current())), M: () => copyTurn(turnOf(current())), w: () => saveTurn(turnOf(current())), l: () => copyLink(messageOf(current())),
	g: () => { lastG = Date.now(); }, i: () => { if (Date.now() - lastG < 1500) one(".crumb a")?.click(); },
	"[": () => one("a[rel=prev]")?.click(), "]": () => one("a[rel=next]")?.click(), "/": () => one(".levels") ? find() : search(), f: () => one(".levels") ? stepFailure(1) : one("#filter")?.focus(), F: () => one(".levels") && stepFailure(-1),
	s: toggleSource, t: toggleTheme, "?": help,
};

function onKey(e) {
	if (e.key === "k" && (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && hasIndex) {
		e.preventDefault();
		return search();
	}
	// On many keyboards [ and ] need AltGr, which Windows reports as Ctrl and Alt.
	const isCommand = e.metaKey || (e.ctrlKey || e.altKey) && !e.getModifierState("AltGraph");
	if (e.defaultPrevented || isCommand || recall("keys") === "off") return;
	if (e.target.closest("input:not([type=radio], [type=checkbox]), select, textarea") || one("dialog[open]")) return;
	if (act(e.key)) e.preventDefault();
}

// act does what a key does, and returns whether it does anything.
function act(key) {
	const level = /^[1-9]$/.test(key) && all(".levels input")[key - 1];
	if (level) level.click();
	else if (Object.hasOwn(ACTIONS, key)) ACTIONS[key]();
	else return false;
	return true;
}

// The event comes after the level is set, so the former level is restored while the place of the reader is determined.
let level = null;
function onLevel(e) {
	if (e.target.name !== "level") return;
	remember("level", e.target.id.slice("level-".length));
	level.checked = true;
	const back = hold();
	level = e.target;
	level.checked = true;
	back();
}
