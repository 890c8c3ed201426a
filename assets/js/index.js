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
