// ---- keeping the place of the reader ----

const barEdge = () => parseFloat(getComputedStyle(root).scrollPaddingTop) || 0; // height of the bar at the top
const EYE = 0.3; // part of the height of the window where readers look
const HOLDS = "main :is([id], .row, .prose, .prose > *, .think, .note, .sys, .foot, .tools > *)";
let lastHold = null; // with the position in which it left the page

// hold records the element that is being read, and returns a function that restores its position after a change of the
// page, or that of the nearest visible element. If the reader has not scrolled since the last change, it is still the
// same element, so that switching through all levels and back ends where it began.
function hold() {
	const last = lastHold, isSame = last && Math.abs(last.y - scrollY) <= 1 && last.kept?.isConnected && Math.abs(top(last.kept) - last.top) <= 1;
	if (scrollY <= 0 && !isSame) return () => {};
	if (!isSame) {
		const eye = Math.max(barEdge(), innerHeight * EYE);
		const near = all(HOLDS).filter(visible).map((el) => ({ el, y: top(el) }));
		near.sort((a, b) => Math.abs(a.y - eye) - Math.abs(b.y - eye));
		lastHold = { near };
	}
	root.style.overflowAnchor = "none"; // scroll anchoring of browsers does not know levels and ids
	return () => {
		for (const { el, y } of lastHold.near) {
			const now = el.isConnected ? el : el.id && doc.getElementById(el.id); // it may have been redrawn
			if (!now || !visible(now)) continue;
			scrollBy({ top: top(now) - y, behavior: "instant" });
			Object.assign(lastHold, { kept: now, top: top(now) });
			break;
		}
		lastHold.y = scrollY;
		requestAnimationFrame(() => { root.style.overflowAnchor = ""; });
	};
}

// changing runs a function that changes the heights of many elements.
function changing(change) {
	const back = hold();
	change();
	back();
}
