// ---- texts in scripts, which is all that a page on disk can load (internal/packed) ----

const site = new URL("..", doc.currentScript?.src || location.href).href;
const files = new Map(), brought = new Map(); // by name: the promise of its text; by script: its content
window.viewerData = (data) => brought.set(doc.currentScript, data);

// decode returns the bytes of a text in UTF-16, two for each code unit. 1 is an escape, and a zero at the beginning
// only makes the number even (internal/packed/utf16.go).
function decode(data) {
	const units = new Uint16Array(data.length);
	let n = 0;
	for (let i = 0; i < data.length; i++) {
		const unit = data.charCodeAt(i);
		units[n++] = unit === 1 ? data.charCodeAt(++i) ^ 0x8000 : unit;
	}
	const bytes = new Uint8Array(units.buffer, 0, 2 * n);
	return bytes[0] ? bytes : bytes.subarray(1);
}

// bytesOf loads a file. A round counts all requested files, even loaded ones, so that the same query has the same
// answer.
const lengths = new Map(); // by name
const bytesOf = (name, round) => {
	if (round && !round.known.has(name)) {
		round.known.add(name);
		round.files++;
		round.bytes += lengths.get(name) || 0;
	}
	if (!files.has(name)) files.set(name, new Promise((done, failed) => {
		const el = make("script"), gone = () => failed(new Error(name));
		el.onload = () => {
			const data = brought.get(el);
			brought.delete(el);
			el.remove();
			if (data === undefined || !window.DecompressionStream) return gone();
			lengths.set(name, 2 * data.length);
			if (round) round.bytes += 2 * data.length;
			new Response(new Blob([decode(data)]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer().then((b) => done(new Uint8Array(b)), failed);
		};
		el.onerror = gone;
		el.src = site + name.split("/").map(encodeURIComponent).join("/");
		doc.head.append(el);
	}));
	return files.get(name);
};
const fileText = async (name, round) => new TextDecoder().decode(await bytesOf(name, round));

// fetchRows loads rows of other pages, and calls take with the HTML of each in order. It calls settled for each, with
// whether it failed, and how many are left.
async function fetchRows(addresses, take, settled) {
	const names = addresses.map((a) => decodeURIComponent(new URL(a, location.href).href.slice(site.length)));
	const texts = names.map((name) => fileText(name).then((html) => ({ html }), () => ({})));
	for (const [i, name] of names.entries()) {
		const { html } = await texts[i];
		files.delete(name);
		if (html !== undefined) take(html);
		settled(html === undefined, names.length - 1 - i);
	}
}
