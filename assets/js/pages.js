// ---- pages of one session ----

// A later page is written without facts about the whole session, because an append would change all pages. The script
// adds them from the file that lists the pages: how the session ended, the outline of all pages, the page number, and
// links to all pages.
let listed; // the content of the file, once requested
const pageList = () => {
	const name = `${decodeURIComponent(folder)}pages.js`;
	return listed ||= fileText(name).catch(() => "").finally(() => files.delete(name));
};

const isLater = () => "paged" in root.dataset && !!window.DecompressionStream && /^(\d+|\w+\/.+-\d+)\.html$/.test(here);
const inFolder = here.includes("/") ? "../" : ""; // from a page of an agent to the first one of the session

// namesOf returns the names of several pages, given the first one and their number.
const namesOf = (line) => {
	const [first, count] = line.split(" ");
	return Array.from({ length: +count.replace(/\D/g, "") }, (_, i) => i ? (first === "index.html" ? "" : first.slice(0, -5) + "-") + `${i + 1}.html` : first);
};

async function wholeOutline() {
	const nav = one(".out > details"), room = one("main > .headroom");
	if (!nav || !isLater()) return room?.remove();
	const block = (await pageList()).split("\n\n").slice(1).map((text) => text.split("\n")).find(([names]) => namesOf(names).includes(here));
	if (!block) return room?.remove();
	const [names, summary, ...html] = block, part = make("div"), head = one("summary", nav), [title, was] = [head.textContent, [...nav.children].slice(1)];
	numberPages(namesOf(names));
	part.innerHTML = html.join("\n");
	const first = names.split(" ")[0].split("/").pop(), own = `${inFolder}${here}#`;
	for (const a of all("a[href]", part)) {
		const href = a.getAttribute("href");
		a.setAttribute("href", href.startsWith("#") ? first + href : href.startsWith(own) ? href.slice(own.length - 1) : href);
	}
	for (const icon of all("symbol", part)) if (doc.getElementById(icon.id)) icon.remove();
	localTimes(part);
	const top = one("div[hidden]", part), heads = [...top?.children || []], meta = one("main > .meta");
	top?.remove();
	const now = [...part.childNodes];
	was.forEach((el) => el.remove());
	nav.append(...now);
	head.textContent = summary;
	if (room) room.replaceWith(...heads);
	else meta?.before(...heads);
	takeBack.push(() => {
		if (room) meta?.before(room);
		[...now, ...heads].forEach((node) => node.remove());
		nav.append(...was);
		head.textContent = title;
	});
	place = undefined;
	outline();
}

// numberPages shows the number of pages in the pager, and links to the first ones, those around this one and the last.
function numberPages(names) {
	const at = names.indexOf(here);
	if (at < 0) return;
	const some = names.map((name, i) => ({ name, i })).filter(({ i }) => i === 0 || i === names.length - 1 || Math.abs(i - at) < 3);
	for (const span of all(".pager > span")) {
		const was = span.textContent, links = make("small");
		some.forEach(({ name, i }, k) => {
			if (k) links.append(i - some[k - 1].i > 1 ? " … " : " ");
			const link = i === at ? make("b", i + 1) : Object.assign(make("a", i + 1), { href: name.split("/").pop() });
			if (i === at) link.ariaCurrent = "page";
			links.append(link);
		});
		span.textContent = `Page ${at + 1} of ${names.length}`;
		span.append(links);
		takeBack.push(() => { span.textContent = was; });
	}
}
