// ---- what stays while the page changes ----

// The end is that of the last turn, which facts about the page follow.
const end = () => all("main > .turn").at(-1)?.getBoundingClientRect().bottom || 0;
const SLACK = 60;
const atEnd = () => end() > 0 && end() <= innerHeight + SLACK;
const goToEnd = () => scrollBy({ top: Math.max(0, end() + SLACK - innerHeight), behavior: "instant" });

// keep records the place of the reader and returns a function that restores it.
function keep() {
	const back = hold();
	const opened = all("main details[open][id]");
	const held = doc.activeElement === doc.body ? null : doc.activeElement;
	const holder = held?.closest("[id]")?.id, byHeart = held?.localName;
	return () => {
		for (const was of opened.filter((el) => !el.isConnected)) {
			// It was redrawn; a new fold around it is opened, too.
			for (let el = doc.getElementById(was.id); el && el.localName !== "main"; el = el.parentElement) if (el.localName === "details") el.open = true;
		}
		if (held && !held.isConnected) {
			const el = doc.getElementById(holder);
			(el?.matches("a, button, summary, input") ? el : el && one(byHeart, el))?.focus({ preventScroll: true });
		}
		back();
	};
}
