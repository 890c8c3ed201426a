// ---- folds, after a reload ----

// A fold without an id has its number in the element around it.
const foldName = (el) => {
	const around = el.parentElement.closest("[id]");
	return el.id || `${around.id} ${all("details", around).indexOf(el)}`;
};

// keepFolds keeps what the reader opened and closed when the page is loaded again, as browsers keep the position, and
// then restores it.
function keepFolds() {
	const opened = new Set(all("main details[open]")), key = "viewer.folds"; // in the page as it was written
	try {
		const kept = JSON.parse(sessionStorage[key] || "{}"), [loading] = performance.getEntriesByType("navigation");
		if (kept.page === location.pathname && loading?.type !== "navigate") {
			const names = new Set(kept.names);
			for (const el of all("main details").filter((el) => names.has(foldName(el)))) el.open = !el.open;
		}
	} catch { /* storage may be blocked */ }
	on("pagehide", () => {
		const names = all("main details").filter((el) => el.open !== opened.has(el)).map(foldName);
		try { sessionStorage[key] = JSON.stringify({ page: location.pathname, names }); } catch { /* or full */ }
	}, window);
}
