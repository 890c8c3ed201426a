// ---- blocks that scroll sideways ----

// A block that scrolls can be reached with Tab; one that does not is not in the tab order.
const SIDEWAYS = "main :is(pre:not(.gut), .table)";
const scrolls = (el) => el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflowX !== "visible";
function reachable(within) {
	const blocks = all(SIDEWAYS, within).map((el) => [el, scrolls(el)]); // measure everything before anything changes
	for (const [el, does] of blocks) {
		if (does === el.hasAttribute("tabindex") || el.matches(".table[role]")) continue;
		if (does) el.tabIndex = 0;
		else el.removeAttribute("tabindex");
	}
}
