// ---- blocks that scroll ----

// A block that scrolls can be reached with Tab; one that does not is not in the tab order.
const SCROLLERS = "main :is(pre:not(.gut), .table)";
const scrolls = (el) => {
	const wide = el.scrollWidth > el.clientWidth + 1, high = el.scrollHeight > el.clientHeight + 1;
	if (!wide && !high) return false;
	const { overflowX, overflowY } = getComputedStyle(el);
	return wide && overflowX !== "visible" || high && /auto|scroll/.test(overflowY);
};
function reachable(within) {
	const blocks = all(SCROLLERS, within).map((el) => [el, scrolls(el)]); // measure everything before anything changes
	for (const [el, does] of blocks) {
		if (does === el.hasAttribute("tabindex") || el.matches(".table[role]")) continue;
		if (does) el.tabIndex = 0;
		else el.removeAttribute("tabindex");
	}
}
