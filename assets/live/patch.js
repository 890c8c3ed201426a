// ---- bringing the page up to date ----

// Three texts meet here: the page as it was written, the page as it is written now, and what the reader sees, in which
// scripts and readers have changed things. What was written is kept aside; only what differs between the two writings
// is changed before the reader, so that what they opened, marked or scrolled to stays as it is.

const aside = document.implementation.createHTMLDocument(""); // loads nothing
const seen = new WeakMap(); // an element as it was written -> the one before the reader
let written; // <body> as it was written

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

// show puts something new before the reader.
function show(is, inserted) {
	const live = doc.importNode(is, true);
	pair(is, live);
	inserted.push(live);
	return live;
}

const blank = (node) => node.nodeType === Node.TEXT_NODE && !node.data.trim();
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
const textOf = (node) => isElement(node) ? "\0" + node.localName : node.data;

// name is the same for an element in both writings: its id, else the day above it or the first id or link inside, else
// its look.
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
	// Words between elements: they stay when the same words stand there.
	const now = [...is.childNodes], before = [...was.childNodes];
	if (now.map(textOf).join("\n") === before.map(textOf).join("\n")) {
		now.forEach((node, i) => isElement(node) && patch(before[i], node, inserted));
		return;
	}
	seen.get(was).replaceChildren(...now.map((node) => isElement(node) ? show(node, []) : doc.importNode(node)));
	was.replaceChildren(...now);
}

// What somebody has changed since it was written is theirs.
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

// match finds for each new child the old one that it was: by name, else the first without a partner that looks the same.
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
	const rest = [...was.children].filter((child) => !gone.has(child)); // in the order before the reader
	const live = seen.get(was);
	let last = null; // the one before, as the reader sees it
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

// place puts an element behind another, or first. Scripts may have moved both elsewhere.
function place(el, last, parent) {
	if (last?.parentNode) last.after(el);
	else parent.prepend(el);
}

// Rows of the index may stand below another day than they were written under: that of the reader's time zone. Where
// that has led to another order, all days are drawn anew.
function patchDays() {
	const days = (from) => all("main > .dayset", from), order = (from) => days(from).flatMap((day) => all(".srow", day)).map((row) => one("a", row)?.getAttribute("href")).join("\n");
	if (order(doc) === order(written)) return;
	const first = days(doc)[0] || one("main").lastElementChild;
	const mark = make("i");
	first.before(mark);
	days(doc).forEach((day) => day.remove());
	mark.replaceWith(...days(written).map((day) => show(day, [])));
}
