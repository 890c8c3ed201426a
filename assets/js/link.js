// ---- deep links ----

// unfold opens the folds around an element, and returns those that it opened.
function unfold(el) {
	const opened = [];
	for (let child = el; el; child = el, el = el.parentElement) {
		if (el.localName !== "details" || el.open || child.localName === "summary") continue;
		el.open = true;
		opened.push(el);
	}
	return opened;
}

// reveal shows the target of the address. A browser that opens folds itself has scrolled already.
function reveal() {
	const target = doc.getElementById(location.hash.slice(1));
	if (target && unfold(target).length) target.scrollIntoView();
}
