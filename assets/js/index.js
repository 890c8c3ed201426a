// ---- index: filter and order ----

// The filter is in the hash. Older sessions are on other pages; their rows are loaded as scripts when they are needed.
function filter() {
	const bar = one(".bar");
	if (!bar || !one("#filter", bar)) return;
	const input = one("#filter", bar), order = one("select", bar), said = one("output", bar);
	const rows = [], older = make("div", "", "older"), list = make("ul", "", "list sorted");
	const heat = one("section:has(> .year[open])"), inside = make("button", "Search prompts, answers, commands and files", "pill inside");
	inside.type = "button";
	said.before(inside);
	let more = (bar.dataset.more || "").split(" ").filter(Boolean), waiting = 0, failed = 0;
	all(".dayset").at(-1)?.after(list, older);
	list.hidden = true;

	const minor = one("#minor"), FLAGS = ["failed", "agents", "changed", "kept"], FACETS = ["project", "model", "month", "agent", ...FLAGS];
	const buttons = () => all("button[aria-pressed]", bar);
	const facetOf = (button) => button.closest("[data-facet]").dataset.facet;
	const valueOf = (button) => FLAGS.includes(facetOf(button)) ? "1" : button.value || button.firstChild.data;
	const isOn = (button) => button.ariaPressed === "true";
	const day = (end) => one(`[name=${end}]`, bar)?.value.trim() || ""; // also a month or a year

	const adopt = (from) => rows.push(...all(".srow", from).map((el) => {
		const at = one("time", el), t = new Date(at?.dateTime), day = dayOf(t), of = el.dataset;
		if (at) at.parentElement.dataset.day = inPattern("1 Jan 2000", t);
		const has = { project: [of.project], model: (of.model || "").split(" "), month: [day.slice(0, 7) || "undated"], agent: [of.agent] };
		for (const flag of FLAGS) has[flag] = of[flag] > 0 ? ["1"] : [];
		return { el, day, has, home: el.parentElement, text: `${one(".ti", el).textContent} ${of.model || ""}`.toLowerCase() };
	}));

	// chosen has the selected values by facet: a session needs one of each.
	function chosen() {
		const values = new Map();
		for (const button of buttons().filter(isOn)) {
			const facet = facetOf(button);
			if (!values.has(facet)) values.set(facet, []);
			values.get(facet).push(valueOf(button));
		}
		return values;
	}

	// wish is the filter. rejects returns the parts of it that a row does not match: facets, or all.
	function wish() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), wanted = [...chosen()], from = day("from"), to = day("to");
		const rejects = (row) => row.el.dataset.minor && !minor?.checked || !words.every((w) => row.text.includes(w)) || row.day < from || to && (!row.day || row.day.slice(0, to.length) > to) ? FACETS :
			wanted.filter(([facet, values]) => !row.has[facet].some((v) => values.includes(v))).map(([facet]) => facet);
		return { rejects, isFiltered: words.length > 0 || wanted.length > 0 || !!from || !!to };
	}

	function apply() {
		const { rejects, isFiltered } = wish();
		if (isFiltered || order.value) fetchOlder();
		const found = [], counts = new Map(FACETS.map((facet) => [facet, new Map()]));
		for (const row of rows) {
			const against = rejects(row);
			row.el.hidden = against.length > 0;
			if (!row.el.hidden) found.push(row);
			// The count of a value is the number of rows that it would leave with the current choice in other facets.
			if (against.length > 1) continue;
			for (const facet of against.length ? against : FACETS) {
				const n = counts.get(facet);
				for (const v of row.has[facet]) n.set(v, (n.get(v) || 0) + 1);
			}
		}
		say(isFiltered || !more.length ? counts : null);
		older.hidden = list.hidden = true;
		if (order.value) {
			list.hidden = !found.length;
			const figure = (row) => +row.el.dataset[order.value] || 0;
			list.replaceChildren(...(order.value === "oldest" ? found.toReversed() : found.toSorted((a, b) => figure(b) - figure(a))).map((row) => row.el));
		} else {
			goHome();
			older.hidden = !isFiltered;
		}
		all(".dayset").forEach((set) => { set.hidden = order.value || !one(".srow:not([hidden])", set); });
		if (heat) heat.hidden = isFiltered; // the result is below the bar
		inside.hidden = !hasIndex || !input.value.trim();
		said.textContent = !isFiltered && !waiting ? "" :
			[`${count(found.length)} of ${plural(rows.filter((row) => minor?.checked || !row.el.dataset.minor).length, "session")}`, waiting ? "looking through older ones …" : "", failed ? `${plural(failed, "older page")} could not be read` : "", bar.dataset.beyond].filter(Boolean).join("\u00a0·\u00a0");
	}

	// say shows the number of sessions beside each value; without counts it restores the numbers of the page, which are
	// of all sessions.
	function say(counts) {
		const names = new Map();
		for (const button of buttons()) {
			const facet = facetOf(button), n = counts ? counts.get(facet).get(valueOf(button)) || 0 : +button.dataset.n;
			const figure = one("i", button) || button.appendChild(make("i"));
			figure.textContent = " " + count(n);
			if (FLAGS.includes(facet)) button.disabled = !n && !isOn(button);
			else button.hidden = !n && !isOn(button);
			if (isOn(button)) names.set(facet, [...names.get(facet) || [], button.firstChild.data]);
		}
		for (const summary of all("summary", bar)) {
			const { facet } = summary.parentElement.dataset, [first, ...others] = names.get(facet) || (facet === "month" && (day("from") || day("to")) ? [`${day("from")} – ${day("to")}`.trim()] : []);
			summary.dataset.label ||= summary.textContent;
			summary.textContent = first ? `${summary.dataset.label}: ${first}${others.length ? " +" + others.length : ""}` : summary.dataset.label;
			summary.toggleAttribute("data-on", !!first);
		}
		bar.ariaBusy = String(waiting > 0);
	}

	function fetchOlder() {
		if (!more.length) return;
		waiting = more.length;
		fetchRows(more, adoptOlder, (bad, left) => {
			failed += bad;
			waiting = left;
			if (!left) apply();
		});
		more = [];
	}
	function adoptOlder(html) {
		const part = make("div");
		part.innerHTML = html;
		all("[id]", part).forEach((el) => el.removeAttribute("id")); // a day may continue on another page
		localTimes(part);
		localDays(part);
		const known = rows.length, { rejects } = wish();
		adopt(part);
		for (const row of rows.slice(known)) row.el.hidden = rejects(row).length > 0; // until all rows are loaded
		all(".dayset", part).forEach((set) => { set.hidden = !one(".srow:not([hidden])", set); });
		older.append(part);
	}

	function save() {
		const values = chosen(), state = new URLSearchParams();
		const add = (key, ...all) => all.forEach((v) => v && state.append(key, v));
		for (const facet of FACETS.slice(0, 4)) add(facet, ...values.get(facet) || []);
		for (const end of ["from", "to"]) add(end, day(end));
		for (const flag of FLAGS) add(flag, ...values.get(flag) || []);
		add("sort", order.value);
		add("q", input.value.trim());
		setAddress(`#${state}`);
		apply();
	}
	function load() {
		if (/^#[^=]+$/.test(location.hash)) return apply(); // an anchor
		const state = new URLSearchParams(location.hash.slice(1));
		if (input.value.trim() !== (state.get("q") || "")) input.value = state.get("q") || "";
		order.value = state.get("sort") || "";
		for (const end of ["from", "to"]) if (day(end) !== (state.get(end) || "")) one(`[name=${end}]`, bar).value = state.get(end) || "";
		for (const list of all(".facet", bar)) { // facets with too many values to list
			const { facet } = list.dataset, listed = new Set(all("button", list).map(valueOf));
			for (const value of state.getAll(facet)) if (!listed.has(value)) one("[role=group]", list).append(Object.assign(make("button", value), { type: "button", ariaPressed: "false" }));
		}
		for (const button of buttons()) button.ariaPressed = String(state.getAll(facetOf(button)).includes(valueOf(button)));
		apply();
	}
	// While rows are added and removed (assets/live), they are in their original places.
	const goHome = () => { if (list.firstChild) rows.forEach((row) => row.home.append(row.el)); };
	function renew() {
		older.remove(); // its days are separate
		localDays();
		all("main > .dayset").at(-1)?.after(list, older);
		rows.length = 0;
		adopt(doc);
		load(); // buttons may have been added or removed
	}
	on("viewer:before", goHome);
	on("viewer:after", renew);
	adopt(doc);
	on("input", save, bar);
	if (minor) on("change", apply, minor);
	on("keydown", (e) => { if (e.key === "Enter" && !e.isComposing) search(input.value.trim()); }, input);
	on("click", () => search(input.value.trim()), inside);
	on("click", (e) => {
		const button = e.target.closest("button[aria-pressed]");
		if (!button) return;
		button.ariaPressed = String(!isOn(button));
		save();
	}, bar);
	// A list of values is open while it has the focus.
	const close = (inside) => all(".facet[open]", bar).forEach((facet) => { facet.open = facet.contains(inside); });
	on("click", (e) => close(e.target));
	on("focusout", (e) => e.relatedTarget && close(e.relatedTarget), bar);
	on("keydown", (e) => {
		const facet = e.key === "Escape" && e.target.closest(".facet[open]");
		if (!facet) return;
		facet.open = false;
		one("summary", facet).focus();
	}, bar);
	on("hashchange", load, window);
	load();
}
