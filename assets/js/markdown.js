// ---- a message as Markdown ----

// Pages do not contain the Markdown source, which would double their size: it is made from the elements.
const fenceOf = (text, least) => "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map((run) => run[0].length + 1)));
const indent = (text, by) => text.replace(/\n(?=.)/g, "\n" + by);
const HIDDEN = "svg, button, time, .gut, .sent, .vh, .who, .id, [role=doc-backlink]";

// beside returns a text without the blanks that a <br> makes at line ends.
function beside(node) {
	const after = node.previousSibling?.localName === "br" ? node.data.trimStart() : node.data;
	return node.nextSibling?.localName === "br" ? after.trimEnd() : after;
}

function spans(el) {
	return [...el.childNodes].map((node) => {
		if (node.nodeType === 3) return beside(node).replace(/\s+/g, " ").replace(/[\\`*[\]<]|\b_|_\b/g, "\\$&");
		if (node.nodeType !== 1 || node.matches(HIDDEN)) return "";
		const text = node.textContent, fence = fenceOf(text, 1);
		switch (node.localName) {
		case "code": return /^`|`$/.test(text) ? `${fence} ${text} ${fence}` : fence + text + fence;
		case "strong": case "b": return `**${spans(node)}**`;
		case "em": case "i": return `*${spans(node)}*`;
		case "del": return `~~${spans(node)}~~`;
		case "br": return node.previousSibling?.data?.endsWith("\n") ? "\n" : "  \n";
		case "img": return `![${node.alt}](${node.src})`;
		case "a": return node.closest("sup") ? `[^${text}]` : `[${spans(node)}](${node.href})`;
		}
		if (node.getAttribute("role") === "img") return text === "☑" ? "[x]" : "[ ]";
		return spans(node);
	}).join("");
}

function fenced(pre) {
	const isDiff = pre.matches(".diff, .diff *"), copy = pre.cloneNode(true);
	if (isDiff) all("ins, del", copy).forEach((el) => { el.textContent = el.textContent.replace(/^/gm, el.localName === "ins" ? "+" : "-"); });
	const text = copy.textContent.replace(/\n$/, ""), fence = fenceOf(text, 3);
	return `${fence}${isDiff ? "diff" : pre.dataset.lang || ""}\n${text}\n${fence}`;
}

function table(el) {
	const line = (cells) => `| ${cells.join(" | ")} |`;
	const rows = all("tr", el).map((tr) => [...tr.cells]);
	const lines = rows.map((cells) => line(cells.map((cell) => spans(cell).trim().replaceAll("|", "\\|"))));
	const rule = line(rows[0].map((cell) => cell.matches(".r") ? "--:" : cell.matches(".m") ? ":-:" : "---"));
	return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function list(el) {
	const isNote = el.closest(".footnotes"), isOrdered = el.localName === "ol";
	return [...el.children].map((li, i) => {
		const bullet = isNote ? `[^${i + 1}]: ` : isOrdered ? `${(el.start || 1) + i}. ` : "- ";
		const isLoose = one(":scope > p + p", li);
		return bullet + indent(blocks(li).join(isLoose ? "\n\n" : "\n"), " ".repeat(bullet.length));
	}).join("\n");
}

// blocks returns the block-level parts of an element.
function blocks(el) {
	const parts = [];
	let loose = make("span"); // text between blocks
	const settle = () => {
		const text = spans(loose).trim();
		if (text) parts.push(text);
		loose = make("span");
	};
	for (const node of el.childNodes) {
		const isLoose = node.nodeType !== 1 || node.matches(`${INLINE}, br, img`);
		if (isLoose) {
			loose.append(node.cloneNode(true));
			continue;
		}
		settle();
		parts.push(...block(node));
	}
	settle();
	return parts;
}

function block(el) {
	if (el.matches(HIDDEN)) return [];
	if (el.matches(".row")) return [`**${one(".nm", el).textContent}** ${all(":scope > .for, :scope > .arg", el).map((part) => part.textContent).join(" · ")}`.trim()];
	if (el.matches(".text")) return [el.textContent.trim()]; // of prompts: as typed
	if (el.matches(".more > summary")) return [];
	switch (el.localName) {
	case "pre": return [fenced(el)];
	case "table": return [table(el)];
	case "ul": case "ol": return [list(el)];
	case "hr": return ["---"];
	case "blockquote": return [blocks(el).join("\n\n").replace(/^/gm, "> ")];
	case "p": return [spans(el).trim().replace(/^([#>+-]|\d+(?=[.)]))/, "\\$1").replace(/\n(?=[#>+-]+ )/g, "\n\\")];
	case "h1": case "h2": case "h3": case "h4": case "h5": case "h6":
		return ["#".repeat((el.className.match(/h(\d)/) || el.localName.match(/h(\d)/))[1]) + " " + spans(el).trim()];
	case "dt": return [`**${el.textContent}**`];
	}
	return blocks(el);
}

const markdown = (el) => block(el).join("\n\n") + "\n";

// turnMarkdown returns the visible parts of a turn, with its prompt as a quotation.
const turnMarkdown = (turn) => [...turn.children].filter((el) => visible(el) && !el.matches(".foot, .steps"))
	.map((el) => el.matches(".prompt") ? markdown(el).trim().replace(/^/gm, "> ") : block(el).join("\n\n")).filter(Boolean).join("\n\n") + "\n";
