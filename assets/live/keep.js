// ---- what stays while the page changes ----

// The end is that of the last turn: what a page tells about itself stands below it.
const end = () => all("main > .turn").at(-1)?.getBoundingClientRect().bottom || 0;
const SLACK = 60;
const atEnd = () => end() > 0 && end() <= innerHeight + SLACK;
const goToEnd = () => scrollBy({ top: Math.max(0, end() + SLACK - innerHeight), behavior: "instant" });
const edge = () => // of what sticks to the top
	 parseFloat(getComputedStyle(root).scrollPaddingTop) || 0;
const near = (el) => { while (el && !visible(el)) el = el.parentElement; return el; }; // what shows of it

// markOf is what stays where it is: the first thing that begins on the screen, or what the screen is in the middle of.
function markOf() {
	const ids = all("main [id]"), from = edge();
	const first = ids.find((el) => top(el) >= from && visible(el));
	return first && top(first) < innerHeight ? first : ids.findLast((el) => top(el) < from && visible(el));
}

// keep notes where the reader is and gives a function that brings them back there.
function keep() {
	const mark = scrollY > 0 && markOf();
	const y = mark && top(mark);
	const opened = all("main details[open][id]");
	const held = doc.activeElement === doc.body ? null : doc.activeElement;
	const holder = held?.closest("[id]")?.id, byHeart = held?.localName;
	root.style.overflowAnchor = "none"; // the browser's own way of doing this knows less of ids
	return () => {
		for (const was of opened.filter((el) => !el.isConnected)) {
			// It was drawn anew; a fold that came around it is opened too.
			for (let el = doc.getElementById(was.id); el && el.localName !== "main"; el = el.parentElement) if (el.localName === "details") el.open = true;
		}
		if (held && !held.isConnected) {
			const el = doc.getElementById(holder);
			(el?.matches("a, button, summary, input") ? el : el && one(byHeart, el))?.focus({ preventScroll: true });
		}
		const el = mark && near(mark.isConnected ? mark : doc.getElementById(mark.id));
		if (el) scrollBy({ top: top(el) - y, behavior: "instant" });
		requestAnimationFrame(() => { root.style.overflowAnchor = ""; });
	};
}
