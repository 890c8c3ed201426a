// ---- theme and level ----

if (/^(light|dark)$/.test(recall("theme"))) root.dataset.theme = recall("theme");

// The filter in the address is known before the rows: none is shown until they are filtered.
if (location.hash.includes("=")) root.dataset.filtering = "";

function toggleTheme() {
	const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
	const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
	// If the choice is that of the system, the page follows the system again.
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
