// ---- icons of buttons, and the bar at the bottom of small and touched screens ----

const LENS = "M2.4 7a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0M10.4 10.4l3.6 3.6", CIRCLE = "M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0";
const TOP_BUTTONS = { // icons in a 16 x 16 box; the second is filled; without one the style sheet draws it
	open: ["Open all"], x: ["Close all"], find: ["Search in this session", LENS], search: ["Search all sessions", LENS],
	help: ["Keys", CIRCLE + "M6.2 6.3c.2-2.3 3.7-2.2 3.7 0 0 1.5-1.9 1.5-1.9 3M8 11.4v.2"],
	theme: ["Switch between light and dark", CIRCLE, "M8 2a6 6 0 0 1 0 12z"],
};
const ICONS = {
	outline: "M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5", find: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9ZM10.4 10.4 14 14",
	e: "M4 6.5 8 2.5l4 4M4 9.5l4 4 4-4", help: "M3 7.5v1M8 7.5v1M13 7.5v1", up: "m4 10 4-4 4 4", down: "m4 6 4 4 4-4",
};

function icon(line, filled) {
	const of = (name) => doc.createElementNS("http://www.w3.org/2000/svg", name), svg = of("svg");
	const draw = (d, look) => {
		const path = of("path");
		path.setAttribute("d", d);
		if (look) { path.setAttribute("fill", look); path.setAttribute("stroke", "none"); }
		svg.append(path);
	};
	svg.setAttribute("viewBox", "0 0 16 16");
	svg.setAttribute("aria-hidden", "true");
	draw(line);
	if (filled) draw(filled, "currentColor");
	return svg;
}

// topButtons adds buttons to the end of the top bar, where room for them is reserved.
function topButtons() {
	for (const act of one(".levels") ? ["open", "x", "find", "help", "theme"] : ["search", "help", "theme"]) {
		const [label, ...icons] = TOP_BUTTONS[act], b = make("button", "", icons.length ? "ib" : "ib all");
		b.type = "button";
		b.dataset.act = act;
		b.ariaLabel = label;
		if (icons.length) b.append(icon(...icons));
		one(".acts")?.append(b);
	}
}

// footBar has buttons for the most used keys; the last one opens a list of the others.
function footBar() {
	if (!one(".levels")) return;
	const bar = make("nav", "", "foot-bar");
	const button = (act, label, name = act) => {
		const b = actButton(act, label, "");
		b.append(icon(ICONS[name]));
		return b;
	};
	const pair = (cls, words, ...buttons) => {
		const group = make("span", "", "pair " + cls);
		group.append(buttons[0], make("small", words), buttons[1]);
		return group;
	};
	bar.ariaLabel = "This page";
	const contents = button("outline", "Outline");
	contents.ariaExpanded = "false";
	bar.append(contents, button("find", "Search in this session"),
		pair("asked", "prompt", button("k", "Previous prompt", "up"), button("j", "Next prompt", "down")),
		pair("failed", "failed", button("F", "Previous failed call", "up"), button("f", "Next failed call", "down")),
		button("e", "Open or close all"), button("help", "More"));
	doc.body.append(bar);
	const fold = one(".out > details");
	if (!fold) return contents.remove();
	on("toggle", () => {
		if (fold.open) return;
		one(".out").classList.remove("sheet");
		contents.ariaExpanded = "false";
	}, fold);
	on("click", (e) => { if (one(".out.sheet") && !e.target.closest(".out, .foot-bar")) fold.open = false; });
	on("keydown", (e) => { if (e.key === "Escape" && one(".out.sheet")) { fold.open = false; contents.focus(); } });
}

// toggleOutline shows the outline over the page, at any scroll position.
function toggleOutline() {
	const nav = one(".out"), fold = one("details", nav), contents = one("[data-act=outline]");
	if (nav.matches(".sheet")) { fold.open = false; return; }
	nav.style.minHeight = `${one("summary", fold).offsetHeight + 1}px`; // keep what is below in place
	nav.classList.add("sheet");
	fold.open = true;
	contents.ariaExpanded = "true";
	const now = one("[aria-current]", fold) || one("a", fold);
	now?.focus({ preventScroll: true });
	if (now) fold.scrollTop += top(now) - top(fold) - fold.clientHeight / 3;
}
