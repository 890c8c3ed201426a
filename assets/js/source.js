// ---- prompts as they were typed ----

// A drawn prompt contains its source: the markup is in <s>.
const toggleSource = () => changing(() => root.classList.toggle("source"));

// sourceButtons adds the buttons for one prompt, and for all of them.
function sourceButtons(prompt, button) {
	const isTyped = () => !!prompt.closest(".source");
	const own = button(isTyped() ? "Drawn" : "Source", () => {
		const typed = isTyped();
		changing(() => {
			if (root.classList.contains("source")) all(".prompt").forEach((el) => el.classList.add("source"));
			root.classList.remove("source");
			prompt.classList.toggle("source", !typed);
		});
		own.textContent = typed ? "Source" : "Drawn";
	});
	const every = button("All", () => {
		const typed = isTyped();
		changing(() => {
			all(".prompt.source").forEach((el) => el.classList.remove("source"));
			root.classList.toggle("source", !typed);
		});
		own.textContent = typed ? "Source" : "Drawn";
	});
	every.ariaLabel = "All prompts";
	return [own, every];
}
