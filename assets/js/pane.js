// ---- the selected call, in a pane on wide screens ----

const WIDE = matchMedia("(min-width: 100em)");
const CALL = `${TURNS} .tool[id]`;
let selected = null; // the call in the pane, null for none
let pane;

const calls = () => all(CALL);

// selectCall shows a call in the pane: a copy without ids, so that links still lead to the page.
function selectCall(tool) {
	if (!pane) makePane();
	const row = one(":scope > .row", tool), body = one(":scope > .body", tool), items = calls();
	const fill = () => {
		selected?.removeAttribute("data-selected");
		selected = tool;
		tool.dataset.selected = "";
		root.dataset.pane = "";
		pane.hidden = false;
	};
	if (pane.hidden) changing(fill); // the text becomes narrower
	else fill();
	const box = make("div", "", tool.className.replace(/\bat-\w+/g, "")), head = make("div", "", "row");
	head.append(...[...row.childNodes].map((node) => node.cloneNode(true)));
	const arg = one(".arg", head);
	if (arg) arg.title = arg.textContent;
	box.append(head);
	if (body) box.append(body.cloneNode(true));
	for (const el of all("[id]", box)) el.removeAttribute("id");
	const list = callFacts(tool, row, items);
	one(".shown", pane).replaceChildren(box, list);
	callTimes().then((times) => {
		if (!times.has(tool.id)) return;
		const at = new Date(times.get(tool.id) * 1000).toISOString(), dd = make("dd");
		dd.append(Object.assign(make("time", `${at.slice(11, 19)}`), { dateTime: at }));
		localTimes(dd);
		list.prepend(make("dt", "time"), dd);
	});
	one("output", pane).textContent = `${count(items.indexOf(tool) + 1)} of ${count(items.length)}`;
	pane.scrollTop = 0;
}

// callTimes has the times of the calls of this page, in seconds since 1970. Rows do not have them, but the texts of the
// search do.
let times;
const callTimes = () => times ||= (async () => {
	const own = decodeURIComponent(folder), page = here.slice(0, -5), found = new Map();
	if (!own || !window.DecompressionStream) return found;
	const isPaged = "paged" in root.dataset, line = isPaged && (await pageList()).split("\n\n")[0].split("\n").find((line) => line.startsWith(`${page} `));
	for (let i = 0; i < (isPaged ? line?.split(" ")[1] || 0 : 1); i++) {
		const name = own + unitName(page, i);
		for (const d of documentsOf(await fileText(name).finally(() => files.delete(name)))) if (d.time) found.set(d.anchor, d.time);
	}
	return found;
})().catch(() => new Map());

function makePane() {
	const head = make("div", "", "pane-head"), steps = make("div", "", "seg stepper"), close = actButton("pane", "Close", "ib close");
	pane = make("aside", "", "pane");
	pane.ariaLabel = "Selected call";
	pane.hidden = true;
	steps.role = "group";
	steps.ariaLabel = "Calls";
	steps.append(actButton("p", "Previous call", "up"), make("output"), actButton("n", "Next call", "down"));
	head.append(make("b", "Call"), steps, close);
	pane.append(head, make("div", "", "shown"));
	one(".grid").append(pane);
}

function closePane() {
	if (!selected) return;
	const row = one(".row", selected), had = pane.contains(doc.activeElement);
	changing(() => {
		selected.removeAttribute("data-selected");
		selected = null;
		pane.hidden = true;
		delete root.dataset.pane;
	});
	if (had) row.focus({ preventScroll: true });
}

// stepCall goes to the next or previous call of the page; the buttons in the pane keep the focus.
function stepCall(by) {
	const items = calls(), tool = items[items.indexOf(selected) + by], keeps = pane.contains(doc.activeElement);
	if (!tool) return;
	const row = one(".row", tool);
	unfold(tool);
	raise(tool);
	selectCall(tool);
	if (row.tabIndex < 0) row.tabIndex = -1;
	if (!keeps) row.focus({ preventScroll: true });
	if (top(row) < barEdge() || top(row) > innerHeight * 0.8) row.scrollIntoView({ block: "center" });
}

// callFacts returns more facts about a call: the prompt, what the model was sent, other edits of the file, and buttons
// to copy.
function callFacts(tool, row, items) {
	const list = make("dl", "", "fields"), add = (name, ...parts) => {
		const dd = make("dd");
		dd.append(...parts);
		list.append(make("dt", name), dd);
	};
	const link = (el, text) => Object.assign(make("a", text), { href: `#${el.id}` });
	const prompt = one(":scope > .prompt[id]", tool.closest(".turn")), when = prompt && one("time", prompt);
	if (prompt) add("prompt", link(prompt, (one(".text, .prose", prompt) || prompt).textContent.trim().replace(/\s+/g, " ").slice(0, 90)), ...(when ? [" ", when.cloneNode(true)] : []));
	const before = tool.previousElementSibling, message = before?.matches(".sent:not(.no, .ph, .size)") && before.textContent.match(/^[\d,]+/)?.[0];
	const result = message && before.textContent.match(/→ ([\d,]+)/)?.[1];
	if (message) add("as sent", `message ${message}${result ? `, its result in ${result}` : ""}`);
	const sizes = all(".sent", tool.closest(".turn")).filter((el) => el.compareDocumentPosition(tool) & Node.DOCUMENT_POSITION_FOLLOWING);
	const size = sizes.map((el) => el.textContent.match(/(?:^|\n)(~?[\d.,]+[kM])/)?.[1]).findLast(Boolean);
	if (size) add("context", `${size} tokens`);
	const path = one(".arg.path", row)?.textContent, changed = (el) => one(":scope > .row > .b:is(.add, .del)", el);
	const edits = path && changed(tool) ? items.filter((el) => changed(el) && one(":scope > .row > .arg.path", el)?.textContent === path) : [];
	if (edits.length > 1) {
		const numbers = edits.flatMap((el, i) => [" ", el === tool ? make("b", i + 1) : link(el, i + 1)]);
		add("this file", `edited ${edits.length} times on this page:`, ...numbers);
	}
	const button = (text, fn) => {
		const b = make("button", text, "pill");
		b.type = "button";
		on("click", fn, b);
		return b;
	};
	add("copy", ...(named(row) ? [button(one(".arg.path", row) ? "path" : "text", () => copyText(row)), " "] : []),
		button("Markdown", () => copyMarkdown(tool)), " ", button("link", () => copyLink(tool)));
	return list;
}

// A click on the row of a call selects it; a second one opens it in its place, as on narrower screens.
function onCall(e) {
	const tool = e.target.closest?.(`${CALL} > .row`)?.parentElement;
	if (!tool || !WIDE.matches || tool === selected || e.target.closest("a, button") || e.ctrlKey || e.metaKey) return;
	e.preventDefault();
	selectCall(tool);
}

function startPane() {
	if (!one(".levels") || !one(".grid")) return;
	on("click", onCall);
	on("focusin", (e) => {
		const tool = selected && e.target.closest(`${CALL} > .row`)?.parentElement;
		if (tool && tool !== selected) selectCall(tool);
	});
	on("keydown", (e) => { if (e.key === "Escape" && !e.defaultPrevented && !one("dialog[open]")) closePane(); });
	on("change", () => { if (!WIDE.matches) closePane(); }, WIDE);
}

// The page has changed: the call may have been redrawn, or have its result now.
function renewPane() {
	times = undefined;
	const now = selected && (selected.isConnected ? selected : doc.getElementById(selected.id));
	if (now) selectCall(now);
	else closePane();
}
