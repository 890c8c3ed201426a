// ---- what is read stays where it is ----

const barEdge = () => parseFloat(getComputedStyle(root).scrollPaddingTop) || 0; // of what sticks to the top
const EYE = 0.3; // of the height of the window: where readers look
const HOLDS = "main :is([id], .row, .prose, .prose > *, .think, .note, .sys, .foot, .tools > *)";
let lastHold = null; // with where it left the page

// hold notes what is under the eye, and gives a function that puts it back there after a change of the page: the
// nearest thing that still shows. A reader who has not scrolled since the last change is still at the same thing, so
// that all levels one after the other, and back, end where they began.
function hold() {
	const last = lastHold, isSame = last && Math.abs(last.y - scrollY) <= 1 && last.kept?.isConnected && Math.abs(top(last.kept) - last.top) <= 1;
	if (scrollY <= 0 && !isSame) return () => {};
	if (!isSame) {
		const eye = Math.max(barEdge(), innerHeight * EYE);
		const near = all(HOLDS).filter(visible).map((el) => ({ el, y: top(el) }));
		near.sort((a, b) => Math.abs(a.y - eye) - Math.abs(b.y - eye));
		lastHold = { near };
	}
	root.style.overflowAnchor = "none"; // the browser's own way knows nothing of levels, and less of ids
	return () => {
		for (const { el, y } of lastHold.near) {
			const now = el.isConnected ? el : el.id && doc.getElementById(el.id); // it may have been drawn anew
			if (!now || !visible(now)) continue;
			scrollBy({ top: top(now) - y, behavior: "instant" });
			Object.assign(lastHold, { kept: now, top: top(now) });
			break;
		}
		lastHold.y = scrollY;
		requestAnimationFrame(() => { root.style.overflowAnchor = ""; });
	};
}

// changing runs what changes the heights of many things.
function changing(change) {
	const back = hold();
	change();
	back();
}
