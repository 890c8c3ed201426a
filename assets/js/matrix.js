// ---- runs side by side: filter and order of a matrix, and the choice of two runs ----

function matrix() {
	const table = one("table.matrix"), bar = one("#tasks");
	if (!table) return;
	const body = one("tbody", table), rows = all("tr", body), words = (row) => one("th", row).textContent.toLowerCase();
	offerPairs(rows);
	choosePairs(table);
	if (!bar) return;
	const input = one("input", bar), [order, state] = all("select", bar), said = one("output", bar), home = one(".pager");
	let more = (bar.dataset.more || "").split(" ").filter(Boolean), waiting = 0, failed = 0;

	function apply() {
		const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean), isFiltered = wanted.length > 0 || order.value || state.value;
		if (isFiltered) fetchOthers();
		const figure = (row) => order.value === "passed" ? -row.dataset.passed : +row.dataset[order.value] || 0;
		const found = rows.filter((row, i) => (isFiltered || i < first) && wanted.every((w) => words(row).includes(w)) && (!state.value || row.dataset.state === state.value));
		body.replaceChildren(...order.value ? found.toSorted((a, b) => figure(b) - figure(a)) : found);
		if (home) home.hidden = !!isFiltered;
		said.textContent = isFiltered ? [`${count(found.length)} of ${plural(rows.length, "task")}`, waiting ? "looking through other pages …" : "", failed ? `${plural(failed, "page")} could not be read` : ""].filter(Boolean).join("\u00a0·\u00a0") : "";
	}
	const first = rows.length;
	function fetchOthers() {
		if (!more.length) return;
		waiting = more.length;
		fetchRows(more, (html) => {
			const part = make("template");
			part.innerHTML = html;
			const others = all("tr", part.content);
			offerPairs(others);
			rows.push(...others);
		}, (bad, left) => {
			failed += bad;
			waiting = left;
			if (!left) apply();
		});
		more = [];
	}
	// The choice is in the hash, as in the index.
	const fields = { q: input, sort: order, state };
	function save() {
		const choice = new URLSearchParams();
		for (const [name, { value }] of Object.entries(fields)) if (value.trim()) choice.append(name, value.trim());
		setAddress(`#${choice}`);
		apply();
	}
	function load() {
		if (location.hash && !/^#(q|sort|state)=/.test(location.hash)) return; // a place on the page
		const choice = new URLSearchParams(location.hash.slice(1));
		for (const [name, el] of Object.entries(fields)) if (el.value.trim() !== (choice.get(name) || "")) el.value = choice.get(name) || "";
		apply();
	}
	on("input", save, bar);
	on("hashchange", load, window);
	load();
}

// mostChosen limits the runs of a task on its page.
const mostChosen = 8;

// offerPairs adds a check box to each run that is on the page of its task. The checked runs of a row are compared.
function offerPairs(rows) {
	for (const row of rows) {
		const cells = one("th a", row) ? all("td", row).filter((td) => one("a", td)).slice(0, mostChosen) : [];
		for (const cell of cells) {
			const box = Object.assign(make("input"), { type: "checkbox", title: "Compare this run with others of the task" });
			box.setAttribute("aria-label", box.title);
			cell.prepend(box);
		}
	}
}

function choosePairs(table) {
	let said;
	on("change", (e) => {
		const row = e.target.closest("tr"), boxes = all("td input", row);
		for (const other of all("td input:checked", table)) if (!row.contains(other)) other.checked = false;
		const letters = boxes.map((box, i) => box.checked ? String.fromCharCode(65 + i) : "").filter(Boolean);
		said?.remove();
		if (letters.length < 2) return;
		said = make("a", `Compare these ${letters.length}`, "pill");
		said.href = `${one("th a", row).getAttribute("href")}#runs=${letters.join(",")}`;
		one("th", row).append(said);
	}, table);
}

// chosenRuns hides all runs of a comparison except those in the hash: #runs=A,C.
function chosenRuns() {
	const named = /^#runs=([A-H](?:,[A-H])*)$/.exec(location.hash), tables = all(":is(.byrun, .aligned):not(.matrix)");
	if (!tables.length) return;
	const shown = named && new Set(named[1].split(",").map((l) => l.charCodeAt(0) - 65));
	for (const table of tables) {
		const heads = table.matches(".byrun") ? 1 : 0;
		for (const row of all("tr", table)) {
			if (row.matches(".shared")) continue;
			const own = [...row.cells].slice(heads);
			own.forEach((cell, i) => { cell.hidden = !!shown && !shown.has(i); });
			row.hidden = !heads && own.every((cell) => cell.hidden || !cell.textContent.trim());
		}
	}
	one("#all-runs")?.remove();
	if (!shown) return;
	const back = Object.assign(make("a", "Show all runs", "pill"), { id: "all-runs", href: location.pathname });
	one("h1").after(back);
}
