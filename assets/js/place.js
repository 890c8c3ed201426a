// ---- what is read stays where it is ----

const barEdge = () => parseFloat(getComputedStyle(root).scrollPaddingTop) || 0; // of what sticks to the top
const EYE = 0.3; // of the height of the window: where readers look
const HOLDS = "main :is([id], .row, .prose, .prose > *, .think, .note, .sys, .foot, .tools > *)";
let lastHold = null; // with where it left the page

// hold notes what is under the eye, and gives a function that puts it back there after a change of the page: the
// nearest thing that still shows. A reader who has not scrolled since the last change is still at the same thing, so
// that all levels one after the other, and back, end where they began.
function hold() {
	const isSame = lastHold && Math.abs(lastHold.y - scrollY) <= 1;
	if (scrollY <= 0 && !isSame) return () => {};
	if (!isSame) {
		const eye = Math.max(barEdge(), innerHeight * EYE);
		const near = all(HOLDS).filter(visible).map((el) => ({ el, y: top(el) }));
		near.sort((a, b) => Math.abs(a.y - eye) - Math.abs(b.y - eye));
		lastHold = { near: near.filter(({ y }) => Math.abs(y - eye) < innerHeight).slice(0, 200), all: near };
	}
	root.style.overflowAnchor = "none"; // the browser's own way knows nothing of levels
	return () => {
		const shows = ({ el }) => el.isConnected && visible(el);
		const kept = lastHold.near.find(shows) || lastHold.all.find(shows);
		if (kept) scrollBy({ top: top(kept.el) - kept.y, behavior: "instant" });
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
