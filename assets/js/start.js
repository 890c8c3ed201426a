const ACTS = { theme: toggleTheme, find, help }; // of the buttons in the bar

function start() {
	parsed.disconnect();
	localTimes();
	localDays();
	filter();
	reveal();
	outline();
	resume();
	doc.body.append(told); // empty, so that what it says later is read aloud
	on("hashchange", () => { reveal(); resume(); }, window);
	on("keydown", onKey);
	on("change", onLevel);
	on("pointerover", offer);
	on("focusin", offer);
	on("click", (e) => ACTS[e.target.closest?.("[data-act]")?.dataset.act]?.());
	root.dataset.ready = "";
}
if (doc.readyState === "loading") on("DOMContentLoaded", start);
else start();
