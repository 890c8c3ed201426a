// ---- what scrolls sideways ----

// A block that scrolls can be reached by key, one that does not is no stop on the way.
const SIDEWAYS = "main :is(pre:not(.gut), .table)";
const scrolls = (el) => el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX !== "visible";
function reachable(within) {
	const blocks = all(SIDEWAYS, within).map((el) => [el, scrolls(el)]); // all is measured before anything changes
	for (const [el, does] of blocks) {
		if (does === el.hasAttribute("tabindex") || el.matches(".table[role]")) continue;
		if (does) el.tabIndex = 0;
		else el.removeAttribute("tabindex");
	}
}
