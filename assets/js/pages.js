// ---- pages of one session ----

// A later page is written without what the whole session is: an append would change each of them. Here it gets that from the
// file that lists the pages: the outline of all, which page of how many it is, and a link to each.
let listed; // what the file says, once it was asked for
const pageList = () => {
	const name = `${decodeURIComponent(folder)}pages.js`;
	return listed ||= fileText(name).catch(() => "").finally(() => files.delete(name));
};

const isOwn = () => "paged" in root.dataset && !!window.DecompressionStream && /^\d+\.html$/.test(here); // not of an agent

async function wholeOutline() {
	const nav = one(".out > details");
	if (!nav || !isOwn()) return;
	const text = await pageList(), cut = text.indexOf("\n\n");
	if (cut < 0) return;
	const names = text.slice(0, cut).split("\n").map((line) => `${line.split(" ")[0]}.html`).filter((name) => !name.includes("/"));
	numberPages(names);
	const [summary, ...html] = text.slice(cut + 2).split("\n"), part = make("div"), head = one("summary", nav), [title, was] = [head.textContent, [...nav.children].slice(1)];
	part.innerHTML = html.join("\n");
	for (const a of all("a[href]", part)) {
		const href = a.getAttribute("href");
		a.setAttribute("href", href.startsWith("#") ? `index.html${href}` : href.startsWith(`${here}#`) ? href.slice(here.length) : href);
	}
	for (const icon of all("symbol", part)) if (doc.getElementById(icon.id)) icon.remove();
	localTimes(part);
	const now = [...part.childNodes];
	was.forEach((el) => el.remove());
	nav.append(...now);
	head.textContent = summary;
	takeBack.push(() => {
		now.forEach((node) => node.remove());
		nav.append(...was);
		head.textContent = title;
	});
	place = undefined;
	outline();
}

// numberPages says in the pager how many pages there are, and links the first ones, those around this one and the last.
function numberPages(names) {
	const at = names.indexOf(here);
	if (at < 0) return;
	const some = names.map((name, i) => ({ name, i })).filter(({ i }) => i === 0 || i === names.length - 1 || Math.abs(i - at) < 3);
	for (const span of all(".pager > span")) {
		const was = span.textContent, links = make("small");
		some.forEach(({ name, i }, k) => {
			if (k) links.append(i - some[k - 1].i > 1 ? " … " : " ");
			const link = i === at ? make("b", i + 1) : Object.assign(make("a", i + 1), { href: name });
			if (i === at) link.ariaCurrent = "page";
			links.append(link);
		});
		span.textContent = `Page ${at + 1} of ${names.length}`;
		span.append(links);
		takeBack.push(() => { span.textContent = was; });
	}
}
