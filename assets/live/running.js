// ---- a session that is still running ----

const ALIVE = 60e3; // after a change
const ALIVE_CALL = 60 * 60e3; // while a call waits for its result
const pulse = make("p", "", "pulse");
const tick = "tick";
const active = new Map(); // pages -> when they last changed
let changed = 0; // when this page last changed
let latest = 0; // last time on the page when it was opened

const ago = (ms) => {
	const s = Math.max(0, Math.round(ms / 1000)), m = Math.floor(s / 60), h = Math.floor(m / 60);
	return h ? `${h}h ${m % 60}m` : m ? `${m}m ${s % 60}s` : `${s}s`;
};

// lastTime returns the last time on the page.
function lastTime() {
	const times = all("main time[datetime]").map((el) => Date.parse(el.dateTime)).filter((t) => t <= Date.now() + 60e3);
	return Math.max(0, ...times);
}

// beat updates elapsed times each second.
function beat() {
	const waiting = isLast() ? all("main .tool.pending") : [];
	const quiet = Date.now() - Math.max(changed, latest);
	const alive = isLast() && quiet < (waiting.length ? ALIVE_CALL : ALIVE);
	root.toggleAttribute("data-running", alive);
	for (const el of all(`.${tick}`)) if (!alive || !el.closest(".tool").matches(".pending")) el.remove();
	pulse.hidden = !alive;
	if (!alive) return;
	const turn = all("main > .turn").at(-1);
	if (turn.nextSibling !== pulse) turn.after(pulse);
	const text = `Running\u00a0·\u00a0last change ${quiet < 5000 ? "just now" : ago(quiet) + " ago"}`;
	if (pulse.textContent !== text) pulse.textContent = text;
	for (const tool of waiting) {
		const since = Date.parse(tool.dataset.since), row = one(".row", tool);
		if (!since || !row) continue;
		let el = one(`.${tick}`, row);
		if (!el) row.append(el = make("span", "", `b ${tick}`));
		el.textContent = ago(Date.now() - since);
	}
}

// mark marks running sessions in lists.
function mark() {
	for (const [name, when] of active) {
		const row = one(`.srow a[href$="${CSS.escape(name)}"]`)?.closest(".srow");
		const alive = Date.now() - when < ALIVE;
		if (!alive) active.delete(name);
		row?.toggleAttribute("data-running", alive);
	}
}
