// ---- index: filter and order ----

// What is chosen stands in the hash. Older sessions are on pages of their own; their rows come as scripts when somebody searches.
function filter() {
	const bar = one(".bar");
	if (!bar) return;
	const input = one("#filter", bar), facets = all("[data-facet]", bar), said = one("output", bar);
	const name = (f) => f.dataset.facet, of = (row, key) => row.el.dataset[key] || "";
	const value = (f) => f.localName !== "button" ? f.value.trim() : f.ariaPressed === "true" ? "1" : "";
	const rows = [], older = make("div", "", "older"), list = make("ul", "", "list sorted");
	let more = (bar.dataset.more || "").split(" ").filter(Boolean), waiting = 0, failed = 0;
	all(".dayset").at(-1)?.after(list, older);
	list.hidden = true;

	const adopt = (from) => rows.push(...all(".srow", from).map((el) => {
		const at = one("time", el), day = at ? dayOf(new Date(at.dateTime)) : "";
		if (at) at.dataset.day = one("h2", el.closest(".dayset")).textContent.replace(/^.* · /, "").replace(/^[A-Z][a-z]+ (?=\d)/, "");
		return { el, day, home: el.parentElement, text: `${one(".ti", el).textContent} ${el.dataset.model || ""}`.toLowerCase() };
	}));

	const TESTS = {
		project: (row, v) => of(row, "project") === v,
		model: (row, v) => of(row, "model").split(" ").includes(v),
		from: (row, v) => row.day >= v, // a day, or a month or a year as its beginning
		to: (row, v) => row.day && row.day.slice(0, v.length) <= v,
		failed: (row) => of(row, "failed") > 0,
		agents: (row) => of(row, "agents") > 0,
	};

	function apply() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const chosen = facets.filter(value), order = chosen.find((f) => name(f) === "sort")?.value;
		const tests = chosen.filter((f) => TESTS[name(f)]).map((f) => [TESTS[name(f)], value(f)]);
		const found = rows.filter((row) => !(row.el.hidden = !words.every((w) => row.text.includes(w)) || !tests.every(([test, v]) => test(row, v))));
		if (words.length || chosen.length) fetchOlder();
		older.hidden = list.hidden = true;
		if (order) {
			list.hidden = !found.length;
			const figure = (row) => +of(row, order);
			list.replaceChildren(...(order === "oldest" ? found.toReversed() : found.toSorted((a, b) => figure(b) - figure(a))).map((row) => row.el));
		} else {
			goHome();
			older.hidden = !(words.length || chosen.length);
		}
		all(".dayset").forEach((set) => { set.hidden = order || !one(".srow:not([hidden])", set); });
		said.textContent = !words.length && !tests.length && !waiting ? "" :
			[`${count(found.length)} of ${count(rows.length)} sessions`, waiting ? "looking through older ones …" : "", failed ? `${failed} older pages could not be read` : ""].filter(Boolean).join(" · ");
	}

	function fetchOlder() {
		for (const src of more) {
			const script = Object.assign(make("script"), { src, async: false });
			const done = (bad) => { failed += bad; script.remove(); --waiting || apply(); };
			script.onload = () => done(0);
			script.onerror = () => done(1);
			waiting++;
			doc.head.append(script);
		}
		more = [];
	}
	window.viewerRows = (_, html) => {
		const part = make("div");
		part.innerHTML = html;
		all("[id]", part).forEach((el) => el.removeAttribute("id")); // a day may go on on another page
		older.append(part);
		localTimes(part);
		localDays(part);
		adopt(part);
	};

	function save() {
		const state = new URLSearchParams(facets.filter(value).map((f) => [name(f), value(f)]));
		if (input.value.trim()) state.set("q", input.value.trim());
		history.replaceState(null, "", `#${state}`);
		apply();
	}
	function load() {
		if (/^#[^=]+$/.test(location.hash)) return; // a place
		const state = new URLSearchParams(location.hash.slice(1));
		input.value = state.get("q") || "";
		for (const f of facets) {
			const v = state.get(name(f)) || "";
			if (f.localName === "button") f.ariaPressed = String(!!v);
			else f.value = v;
			if (f.localName === "select" && f.value !== v) f.append(new Option(v, v, true, true)); // one of those too many to list
		}
		apply();
	}
	// While rows come and go (assets/live) they are in their places.
	const goHome = () => { if (list.firstChild) rows.forEach((row) => row.home.append(row.el)); };
	function renew() {
		older.remove(); // its days are its own
		localDays();
		all("main > .dayset").at(-1)?.after(list, older);
		rows.length = 0;
		adopt(doc);
		apply();
	}
	on("viewer:before", goHome);
	on("viewer:after", renew);
	adopt(doc);
	on("input", save, bar);
	on("click", (e) => {
		const pill = e.target.closest("button[data-facet]");
		if (!pill) return;
		pill.ariaPressed = String(!value(pill));
		save();
	}, bar);
	on("hashchange", load, window);
	load();
}
