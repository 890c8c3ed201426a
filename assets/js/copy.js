// ---- copying ----

const MESSAGE = ":is(.prompt, .prose, .tool, .agent, .think, .note)[id]";
let offered = null; // the block that the buttons are for
const copier = make("div", "", "copy"), told = make("output", "", "told");
let silence; // timer that removes the message

// source returns the text of a block, including the part that is folded below it.
function source(pre) {
	const inside = (el) => el && (el.matches("pre") ? el : one("pre:not(.gut)", el));
	const block = pre.closest(".src") || pre, above = block.parentElement.closest(".more")?.previousElementSibling;
	const head = inside(above) ? above : block, rest = head.nextElementSibling;
	return [inside(head), rest?.matches(".more") && inside(rest)].filter(Boolean).map((el) => el.textContent.replace(/\n$/, "")).join("\n");
}

// named returns the command or the path that a row names.
function named(row) {
	const command = one(":scope + .body > .cmd", row);
	return command ? source(command) : one(".arg", row)?.textContent || "";
}

function tell(text) {
	told.textContent = text;
	clearTimeout(silence);
	silence = setTimeout(() => { told.textContent = ""; }, 1500);
}

// Outside of secure contexts, as on a plain http host, there is only the old command.
async function copy(text, what) {
	if (!text) return;
	try {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
		} else {
			const area = make("textarea", text, "vh"), was = doc.activeElement;
			doc.body.append(area);
			area.select();
			doc.execCommand("copy");
			area.remove();
			was.focus({ preventScroll: true });
		}
		tell(`${what} copied`);
	} catch {
		tell("The browser does not let this page copy");
	}
}

const messageOf = (el) => el?.closest(`main ${MESSAGE}`);
const copyMarkdown = (el) => { if (el) copy(markdown(el), "Markdown"); };
const turnOf = (el) => el?.closest(TURNS);
const copyTurn = (turn) => { if (turn) copy(turnMarkdown(turn), "Turn"); };

// save saves Markdown as a file, named after its kind and its first element.
function save(text, what, el) {
	const a = make("a");
	a.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
	a.download = `${what}-${el?.id || "1"}.md`;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 60000);
	tell(`Saved as ${a.download}`);
}

const saveTurn = (turn) => { if (turn) save(turnMarkdown(turn), "turn", one("[id]", turn)); };
const saveMessage = (el) => save(markdown(el), el.matches(".tool") ? "call" : "message", el);

const copyLink = (el) => { if (el) copy(`${address}#${el.id}`, "Link"); };
function copyText(el) {
	const pre = el?.closest("pre:not(.gut)"), row = el?.closest("main .row");
	if (pre) copy(source(pre), "Text");
	else if (row) copy(named(row), "Text");
	else copyMarkdown(messageOf(el));
}

// The target of the keys: the element in focus, or the turn being read.
const current = () => doc.activeElement.closest("main *") || place && (one(".prompt", place) || place);

// One set of buttons for all blocks, at the corner of the one under the pointer or in focus.
function offer(e) {
	if (copier.contains(e.target)) return;
	const el = e.target.closest?.(`main :is(pre:not(.gut), .row, ${MESSAGE}), .pane pre:not(.gut)`) || null;
	if (el === offered) return;
	offered = el;
	copier.remove();
	const isRow = el?.matches(".row"), isPre = el?.matches("pre"), message = messageOf(el);
	if (!el || isRow && !message) return;
	const button = (label, fn) => {
		const b = make("button", label);
		b.type = "button";
		on("click", fn, b);
		return b;
	};
	const buttons = [];
	if (isPre || isRow && named(el)) buttons.push(button("Copy", () => copyText(el)));
	if (!isPre) buttons.push(button("Markdown", () => copyMarkdown(message)));
	if (el.matches(`${TURNS} > .prompt`)) buttons.push(button("Turn", () => copyTurn(turnOf(el))), button("Save turn", () => saveTurn(turnOf(el))));
	else if (!isPre) buttons.push(button("Save", () => saveMessage(message)));
	if (!isPre) buttons.push(button("Link", () => copyLink(message)));
	if (!isPre && !isRow && message.matches(".prompt:has(.text.prose)")) buttons.push(...sourceButtons(message, button));
	copier.replaceChildren(...buttons);
	copier.role = "toolbar";
	copier.ariaLabel = "Copy";
	doc.body.append(copier);
	// In the corner of a block of code, before the facts of a row, at the upper edge of a message.
	const around = el.getBoundingClientRect(), fact = isRow && all(".b", el).find(visible);
	const right = fact ? fact.getBoundingClientRect().left : around.right;
	const y = isPre ? 6 : isRow ? (Math.min(around.height, 36) - copier.offsetHeight) / 2 : -copier.offsetHeight / 2;
	copier.style.top = `${around.top + scrollY + y}px`;
	copier.style.left = `${Math.max(4, Math.min(right, innerWidth) - copier.offsetWidth - 8)}px`;
}
