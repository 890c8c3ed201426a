const ACTS = { theme: toggleTheme, find, help, search: () => search(), open: () => foldAll(true), outline: toggleOutline, pane: closePane }; // of the buttons in the bar

// A served page is brought up to date by a script that pages on disk do not have (assets/live).
function renew() {
	localTimes();
	dayLines();
	outline();
	listed = undefined; // a page may have come
	wholeOutline();
	findAgain();
	failureButtons();
	renewPane();
	reachable(doc);
}

function start() {
	parsed.disconnect();
	localTimes();
	dayLines();
	localDays();
	filter();
	matrix();
	chosenRuns();
	delete root.dataset.filtering;
	keepFolds();
	reveal();
	outline();
	wholeOutline();
	foldOutline();
	resume();
	searchAgain();
	topButtons();
	footBar();
	startPane();
	failureButtons();
	resumeFailure();
	doc.body.append(told); // empty, so that later messages are read aloud
	on("hashchange", () => { chosenRuns(); reveal(); resume(); resumeFailure(); searchAgain(); }, window);
	on("viewer:before", () => { while (takeBack.length) takeBack.pop()(); });
	on("viewer:after", renew);
	reachable(doc);
	doc.addEventListener("toggle", (e) => { if (e.target.open) reachable(e.target); }, true); // which does not bubble
	on("resize", () => reachable(doc), window);
	on("keydown", onKey);
	level = one(".levels :checked");
	on("change", onLevel);
	on("pointerover", offer);
	on("focusin", offer);
	on("click", (e) => {
		const act = e.target.closest?.("[data-act]")?.dataset.act;
		if (act) (ACTS[act] || ACTIONS[act])?.();
	});
	root.dataset.ready = "";
}

// Without the style sheet the layout differs: the target of a link would move out of sight when the style sheet
// arrives.
function begin() {
	const style = one("link[rel=stylesheet]");
	if (!style || style.sheet || doc.readyState === "complete") return start();
	let begun = false;
	const once = () => { if (!begun) start(); begun = true; };
	on("load", once, style);
	on("load", once, window); // also if it could not be loaded
}
if (doc.readyState === "loading") on("DOMContentLoaded", begin);
else begin();
