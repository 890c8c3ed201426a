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
	const id = location.hash.slice(1), target = doc.getElementById(id);
	if (target && unfold(target).length) target.scrollIntoView();
	if (!target && /^[\w-]+$/.test(id)) elsewhere(id);
}

// elsewhere goes to the page of the session that has an entry. A session that grew is divided into pages anew, and links
// to its entries may have been shared before.
async function elsewhere(id) {
	await (loading ||= loadTexts());
	const page = pages.find((page) => texts.get(page)?.some(({ anchor }) => anchor === id));
	if (page && page !== here && location.hash === `#${id}`) location.replace(`${site}${folder}${page}#${id}`);
}
