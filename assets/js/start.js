const ACTS = { theme: toggleTheme, find, help, search: () => search() }; // of the buttons in the bar

// A served page is brought up to date by a script that pages on disk do not have (assets/live).
function renew() {
	localTimes();
	dayLines();
	outline();
	findAgain();
}

function start() {
	parsed.disconnect();
	localTimes();
	dayLines();
	localDays();
	filter();
	reveal();
	outline();
	foldOutline();
	resume();
	searchAgain();
	doc.body.append(told); // empty, so that what it says later is read aloud
	on("hashchange", () => { reveal(); resume(); searchAgain(); }, window);
	on("viewer:before", () => { while (takeBack.length) takeBack.pop()(); });
	on("viewer:after", renew);
	on("keydown", onKey);
	on("change", onLevel);
	on("pointerover", offer);
	on("focusin", offer);
	on("click", (e) => ACTS[e.target.closest?.("[data-act]")?.dataset.act]?.());
	root.dataset.ready = "";
}
if (doc.readyState === "loading") on("DOMContentLoaded", start);
else start();
