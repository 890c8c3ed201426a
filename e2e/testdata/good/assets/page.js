addEventListener("DOMContentLoaded", () => {
	const target = document.getElementById(location.hash.slice(1));
	for (let el = target; el; el = el.parentElement) if (el.localName === "details") el.open = true;
	target?.scrollIntoView();
	document.documentElement.dataset.ready = "";
});
