// ---- calls that failed ----

const FAILED = `${TURNS} .tool:is(.err, .blocked)`; // the same calls that pages count
const failures = () => all(FAILED);
let atFailure = null; // the failed call that the reader is at
let failureBar, failureCount;

// nextFailure returns the next or previous failed call, from the current one or from the top of the screen.
function nextFailure(by) {
	const items = failures(), edge = barEdge() + 8;
	const near = atFailure?.isConnected && visible(atFailure) && Math.abs(top(atFailure)) < innerHeight;
	const from = doc.activeElement.closest(FAILED) || near && atFailure || all("main [id]").findLast((el) => visible(el) && top(el) <= edge);
	const lies = (el) => from ? from.compareDocumentPosition(el) : Node.DOCUMENT_POSITION_FOLLOWING;
	return by > 0 ? items.find((el) => lies(el) & Node.DOCUMENT_POSITION_FOLLOWING)
		: items.findLast((el) => lies(el) & Node.DOCUMENT_POSITION_PRECEDING && el !== from);
}

async function stepFailure(by) {
	const el = nextFailure(by);
	if (el) return toFailure(el);
	if (await failureElsewhere(by)) return;
	const items = failures();
	if (items.length) toFailure(items.at(by > 0 ? 0 : -1));
	else tell("Nothing failed");
}

// toFailure shows a failed call, in any fold and at any level.
function toFailure(el) {
	const row = one(".row", el) || el;
	unfold(el);
	raise(el);
	atFailure = el;
	if (row.tabIndex < 0) row.tabIndex = -1;
	row.focus({ preventScroll: true });
	if (top(row) < barEdge() || top(row) > innerHeight * 0.7) row.scrollIntoView({ block: "center" });
	tallyFailures();
}

// failureElsewhere goes to the next page of the session with a failed call, and returns whether there is one. The
// search may count fewer calls as failed; then the next page continues, until all were tried.
async function failureElsewhere(by, tried = 1) {
	if (!("paged" in root.dataset) || !window.DecompressionStream) return false;
	const own = decodeURIComponent(folder), read = (name) => fileText(own + name).catch(() => "");
	const list = (await pageList()).split("\n\n")[0].split("\n").filter(Boolean).map((line) => line.split(" "));
	const from = list.findIndex(([page]) => page + ".html" === here);
	for (let i = 1; i + tried <= list.length; i++) {
		const [page, units] = list[(from + by * i + list.length * 2) % list.length];
		for (let u = 0; u < +units; u++) {
			if (!documentsOf(await read(unitName(page, u))).some((d) => d.failed && d.kind === "tool")) continue;
			location.href = `${site}${folder}${page}.html#failure=${by}&tried=${tried + i}`;
			return true;
		}
	}
	return false;
}

// resumeFailure continues from another page.
function resumeFailure() {
	const state = new URLSearchParams(location.hash.slice(1)), by = +state.get("failure");
	if (!by) return;
	setAddress(address);
	const el = failures().at(by > 0 ? 0 : -1);
	if (el) toFailure(el);
	else failureElsewhere(by, +state.get("tried") || 1);
}

// failureButtons are in the bar of a page with failed calls.
function failureButtons() {
	if (!one(".levels") || !failures().length) {
		if (failureBar) failureBar.hidden = true;
		return;
	}
	if (!failureBar) {
		failureBar = make("div", "", "seg stepper");
		failureBar.role = "group";
		failureBar.ariaLabel = "Failed calls";
		failureCount = make("output");
		failureBar.append(actButton("F", "Previous failed call", "up"), failureCount, actButton("f", "Next failed call", "down"));
		one(".crumb").after(failureBar);
	}
	failureBar.hidden = false;
	tallyFailures();
}

function tallyFailures() {
	if (!failureBar) return;
	const items = failures(), i = items.indexOf(atFailure);
	const number = i < 0 ? count(items.length) : `${count(i + 1)} of ${count(items.length)}`;
	failureCount.textContent = `${number} failed${"paged" in root.dataset ? " here" : ""}`;
}

// actButton returns a button of a bar that does what a key does.
function actButton(key, label, cls) {
	const b = make("button", "", cls);
	b.type = "button";
	b.dataset.act = key;
	b.ariaLabel = b.title = label;
	return b;
}
