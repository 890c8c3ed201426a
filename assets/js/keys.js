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
