// ---- deep links ----

// reveal opens what is folded around the target; a browser that did so itself has scrolled already.
function reveal() {
	const target = doc.getElementById(location.hash.slice(1));
	let opened = false;
	for (let el = target; el; el = el.parentElement) {
		if (el.localName === "details" && !el.open) opened = el.open = true;
	}
	if (opened) target.scrollIntoView();
}
