function start() {
	parsed.disconnect();
	localTimes();
	localDays();
	filter();
	reveal();
	outline();
	on("hashchange", reveal, window);
	on("keydown", onKey);
	on("change", onLevel);
	on("pointerover", offer);
	on("focusin", offer);
	on("click", copyOffered, copier);
	one("[data-act=theme]")?.addEventListener("click", toggleTheme);
	root.dataset.ready = "";
}
if (doc.readyState === "loading") on("DOMContentLoaded", start);
else start();
