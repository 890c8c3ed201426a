// ---- notes from the page ----

// A server that accepts notes gives its pages a token. A note is about the element in the address, or the first one in
// view, or the whole session.
const token = one("meta[name=viewer-notes]")?.content;
const session = /^\/s\/([^/]+)\//.exec(location.pathname)?.[1];

const noted = () => {
	const named = doc.getElementById(decodeURIComponent(location.hash.slice(1)));
	const some = all("main .turn [id]").filter((el) => el.matches(".prompt, .prose, .tool, .note, .think"));
	return some.includes(named) ? named : some.find((el) => visible(el) && el.getBoundingClientRect().bottom > 120);
};

function labelled(text, field) {
	const label = make("label", text);
	label.append(field);
	return label;
}

function offerNotes(corner) {
	if (!token || !session || !one("main > h1")) return;
	const button = make("button", "Add a note", "add-note"), dialog = make("dialog", "", "new-note");
	const about = make("select"), author = make("input"), kind = make("input"), text = make("textarea");
	const save = make("button", "Save"), cancel = make("button", "Cancel"), said = make("p", "", "said");
	text.rows = 5;
	text.maxLength = 30000;
	author.maxLength = kind.maxLength = 60;
	author.value = decodeURIComponent(recall("author"));
	button.type = save.type = cancel.type = "button";
	said.setAttribute("role", "alert");
	dialog.setAttribute("aria-label", "Add a note");
	const acts = make("p");
	acts.append(save, cancel);
	dialog.append(labelled("About", about), labelled("Author", author), labelled("Label", kind), labelled("Text (Markdown)", text), said, acts);
	const box = make("div", "", "noting");
	box.append(button, dialog);
	corner.after(box);
	on("click", () => {
		const el = noted();
		about.replaceChildren(...(el ? [new Option(`#${el.id}: ${el.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`, el.id)] : []), new Option("The whole session", ""));
		said.textContent = "";
		dialog.showModal();
		text.focus();
	}, button);
	on("click", () => dialog.close(), cancel);
	on("click", async () => {
		const note = { session: decodeURIComponent(session), anchor: about.value, author: author.value.trim(), label: kind.value.trim(), text: text.value };
		if (!note.text.trim()) {
			said.textContent = "There is no text yet.";
			return;
		}
		save.disabled = true;
		try {
			const answer = await fetch("/-/notes", { method: "POST", headers: { "Content-Type": "application/json", "Viewer-Token": token }, body: JSON.stringify(note) });
			const words = await answer.text(); // some browsers report an unread response as a failed request
			if (!answer.ok) throw new Error(words);
			remember("author", encodeURIComponent(note.author));
			text.value = kind.value = "";
			dialog.close();
		} catch (wrong) {
			said.textContent = wrong.message || "The server does not answer.";
		}
		save.disabled = false;
	}, save);
}

