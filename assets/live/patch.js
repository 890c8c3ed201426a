// ---- bringing the page up to date ----

// There are three documents: the page as it was served, the page as it is served now, and the page on the screen, which
// scripts and the reader have changed. The served page is kept; only differences between the two versions are applied
// to the screen, so that everything the reader opened, selected or scrolled to stays as it is.

const aside = document.implementation.createHTMLDocument(""); // loads nothing
const seen = new WeakMap(); // an element as served -> the one on the screen
let written; // <body> as served

function pair(was, live) {
	seen.set(was, live);
	let other = live.firstElementChild;
	for (const child of was.children) {
		if (!other) return;
		pair(child, other);
		other = other.nextElementSibling;
	}
}

function takeNote() {
	written = aside.importNode(doc.body, true);
	pair(written, doc.body);
}

// show adds a new element to the screen.
function show(is, inserted) {
	const live = doc.importNode(is, true);
	pair(is, live);
	inserted.push(live);
	return live;
}

const blank = (node) => node.nodeType === Node.TEXT_NODE && !node.data.trim();
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const textOf = (node) => isElement(node) ? "\0" + node.localName : node.data;

// name returns a name that an element has in both versions: its id, otherwise the day above it or the first id or link
// inside, otherwise its tag and class.
function name(el) {
	if (el.id) return `${el.localName} #${el.id}`;
	const inside = one(":scope > h2 > time", el)?.dateTime || one("[id]", el)?.id || one("a[href]", el)?.getAttribute("href");
	return inside ? `${el.localName} ${inside}` : look(el);
}
const look = (el) => el.id ? "" : `${el.localName}.${el.classList[0] || ""}`;

function patch(was, is, inserted) {
	if (was.isEqualNode(is)) return;
	patchAttributes(was, is);
	if ([...was.childNodes, ...is.childNodes].every((node) => isElement(node) || blank(node))) return patchChildren(was, is, inserted);
	// Text between elements stays if it is the same.
	const now = [...is.childNodes], before = [...was.childNodes];
	if (now.map(textOf).join("\n") === before.map(textOf).join("\n")) {
		now.forEach((node, i) => isElement(node) && patch(before[i], node, inserted));
		return;
	}
	seen.get(was).replaceChildren(...now.map((node) => isElement(node) ? show(node, []) : doc.importNode(node)));
	was.replaceChildren(...now);
}

// Attributes that a script or the reader has changed stay.
function patchAttributes(was, is) {
	const live = seen.get(was);
	for (const attribute of new Set([...was.getAttributeNames(), ...is.getAttributeNames()])) {
		const before = was.getAttribute(attribute), now = is.getAttribute(attribute);
		if (before === now) continue;
		for (const el of live.getAttribute(attribute) === before ? [was, live] : [was]) {
			if (now === null) el.removeAttribute(attribute);
			else el.setAttribute(attribute, now);
		}
	}
}

// match finds the old child for each new one: by name, otherwise the first unmatched one of the same form.
function match(olds, news) {
	const found = new Map(), free = new Set(olds);
	for (const same of [name, look]) {
		const byKey = Map.groupBy(free, same);
		for (const child of news) {
			const old = !found.has(child) && same(child) && byKey.get(same(child))?.shift();
			if (!old) continue;
			found.set(child, old);
			free.delete(old);
		}
	}
	return [found, free];
}

function patchChildren(was, is, inserted) {
	const now = [...is.childNodes], [kept, gone] = match([...was.children], now.filter(isElement));
	for (const child of gone) seen.get(child).remove();
	const rest = [...was.children].filter((child) => !gone.has(child)); // in the order on the screen
	const live = seen.get(was);
	let last = null; // the one before, on the screen
	was.replaceChildren(...now.map((node) => {
		if (!isElement(node)) return node;
		const child = kept.get(node);
		if (child) {
			const el = seen.get(child);
			if (rest[0] === child) rest.shift();
			else {
				rest.splice(rest.indexOf(child), 1);
				place(el, last, live);
			}
			patch(child, node, inserted);
			last = el;
			return child;
		}
		const el = show(node, inserted);
		place(el, last, live);
		if (blank(node.previousSibling || node)) el.before(node.previousSibling.data);
		last = el;
		return node;
	}));
}

// place moves an element after another, or to the beginning. Scripts may have moved both elsewhere.
function place(el, last, parent) {
	if (last?.parentNode) last.after(el);
	else parent.prepend(el);
}

// Rows of the index may be below another day than in the served page, in the reader's time zone. If that has changed
// their order, all days are redrawn.
function patchDays() {
	const days = (from) => all("main > .dayset", from), order = (from) => days(from).flatMap((day) => all(".srow", day)).map((row) => one("a", row)?.getAttribute("href")).join("\n");
	if (order(doc) === order(written)) return;
	const first = days(doc)[0] || one("main").lastElementChild;
	const mark = make("i");
	first.before(mark);
	days(doc).forEach((day) => day.remove());
	mark.replaceWith(...days(written).map((day) => show(day, [])));
}
