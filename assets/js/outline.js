// ---- outline ----

let place; // the turn being read
let watch; // observer of the turns on the screen

function outline() {
	const nav = one(".out"), seen = new Set(), turns = all(TURNS);
	const links = new Map(all(".out .toc a").map((a) => [a.hash, a]));
	const linkOf = (turn) => links.get("#" + (turn?.id || turn && one(".prompt", turn)?.id)) || links.get(turn && one(".cont a", turn)?.hash);
	watch?.disconnect();
	watch = new IntersectionObserver((entries) => {
		entries.forEach((e) => seen[e.isIntersecting ? "add" : "delete"](e.target));
		const now = turns.find((turn) => seen.has(turn)) || place || isLater() && turns[0]; // which continues on this page
		if (now === place) return;
		linkOf(place)?.removeAttribute("aria-current");
		place = now;
		const link = linkOf(now);
		if (!link) return;
		link.setAttribute("aria-current", "true");
		// Not scrollIntoView, which would also move the page.
		const y = top(link) - top(nav);
		if (y < 0 || y > nav.clientHeight - 60) nav.scrollTop += y - nav.clientHeight / 2;
	}, { rootMargin: "-64px 0px -75% 0px" });
	turns.forEach((turn) => watch.observe(turn));
}

// On a phone, an open outline would push away the text that it links to.
function foldOutline() {
	const nav = one(".out"), fold = nav && one("details", nav);
	if (fold) on("click", (e) => { if (e.target.closest("a") && visible(one("summary", fold))) fold.open = false; }, nav);
}
