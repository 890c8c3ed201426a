addEventListener("load", () => setTimeout(() => {
	console.log("hello");
	// By now the browser itself has opened the <details> around the target.
	document.querySelectorAll("details").forEach((d) => { d.open = false });
	addEventListener("click", (e) => { if (e.target.closest("summary")) e.preventDefault() });
	document.documentElement.dataset.ready = "";
	throw new Error("thrown on purpose");
}, 100));
