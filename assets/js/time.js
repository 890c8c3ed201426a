// ---- local times ----

// inPattern formats a time with the parts that the text has: seconds, weekday and year only if they are in the text.
function inPattern(text, t) {
	const [weekday, month, day, year] = t.toDateString().split(" "); // English by definition
	return text
		.replace(/\d\d:\d\d(:\d\d)?/, (clock) => t.toTimeString().slice(0, clock.length))
		.replace(/^[A-Z][a-z]+ (?=\d)/, weekday + " ")
		.replace(/\d+ [A-Z][a-z]+( \d{4})?/, (_, y) => `${+day} ${month}${y ? " " + year : ""}`);
}
const dayOf = (t) => isNaN(t) ? "" : new Date(t - t.getTimezoneOffset() * 60000).toISOString().slice(0, 10); // 2026-05-12

function localTimes(from = doc) {
	for (const el of all("time[datetime]:not([data-f=day])", from)) {
		const t = new Date(el.dateTime);
		if (isNaN(t)) continue;
		const text = inPattern(el.textContent, t);
		if (text !== el.textContent) el.textContent = text;
		const from = el.previousElementSibling;
		if (from?.matches("time[data-f=datetime]") && /^ – $/.test(el.previousSibling.data)) { // the end of a span: with its day only if it differs
			const isSameDay = new Date(from.dateTime).toDateString() === t.toDateString();
			el.textContent = inPattern(isSameDay ? "00:00" : "Mon 1 Jan 2000, 00:00", t);
		}
		el.title = el.dateTime.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
	}
}

// In the HTML the days of a session begin at midnight UTC. The script moves their lines to midnight in local time, as
// far as the times of prompts and lines tell. takeBack restores the original places, for a page that is updated.
const takeBack = [];
function dayLines() {
	while (takeBack.length) takeBack.pop()();
	let today = "";
	for (const el of all(`${TURNS} time[datetime]`)) {
		if (el.closest(".agent, .fold")) continue; // which have their own times
		const at = new Date(el.dateTime), day = dayOf(at), isLine = el.dataset.f === "date";
		const isNew = today && day > today;
		if (isLine && today && !isNew) {
			const line = el.closest(".sys"), pause = one("svg", line) && el.previousSibling, words = pause?.data; // which stays
			const gone = pause ? el : line, stands = new Comment();
			if (pause) pause.data = words.replace(/\s·\s$/, "");
			gone.replaceWith(stands);
			takeBack.push(() => {
				stands.replaceWith(gone);
				if (pause) pause.data = words;
			});
		} else if (isNew && !isLine) {
			let block = el;
			while (!block.parentElement.matches(".turn")) block = block.parentElement;
			if (block.previousElementSibling?.matches(".sent")) block = block.previousElementSibling;
			const pause = block.previousElementSibling?.matches("p.sys:has(svg):not(:has(time))") && one("span", block.previousElementSibling);
			const time = Object.assign(make("time", inPattern("Mon 1 Jan 2000", at)), { dateTime: el.dateTime });
			const line = pause ? make("span", "\u00a0·\u00a0") : make("p", "", "sys"), inside = pause ? line : line.appendChild(make("span"));
			inside.append(time);
			if (pause) pause.append(line);
			else block.before(line);
			takeBack.push(() => line.remove());
		}
		if (!today || isNew) today = day;
	}
}

// The days and months of the index are those of UTC; rows move to their local day if it differs.
function localDays(from = doc) {
	const heading = (set) => one("h2 time", set);
	const start = (row) => new Date(one("time", row).dateTime);
	const sets = all(".dayset", from).filter(heading);
	const rows = sets.flatMap((set) => all(".srow", set));
	const isOfMonth = (row) => !!one(".at i", row), place = (row) => dayOf(start(row)).slice(0, isOfMonth(row) ? 7 : 10);
	for (const row of rows.filter(isOfMonth)) one(".at i", row).textContent = `${start(row).getDate()} ${start(row).toDateString().slice(0, 3)}`;
	if (rows.some((row) => place(row) !== heading(row.closest(".dayset")).dateTime)) {
		let day, list, n = 0;
		for (const row of rows) {
			if (place(row) !== day) {
				day = place(row);
				if (n === sets.length) sets[n - 1].after(sets[n] = sets[n - 1].cloneNode(true));
				const time = heading(sets[n]);
				time.dateTime = day;
				time.textContent = isOfMonth(row) ? start(row).toLocaleDateString("en", { month: "long", year: "numeric" }) : inPattern("Mon 1 Jan 2000", start(row));
				list = one(".list", sets[n++]);
				list.replaceChildren();
			}
			list.append(row);
		}
		sets.splice(n).forEach((set) => set.remove());
	}
	const now = new Date(), words = { [dayOf(now)]: "Today · " };
	words[dayOf(new Date(now.setDate(now.getDate() - 1)))] = "Yesterday · ";
	for (const time of sets.map(heading)) {
		const word = words[time.dateTime] || "";
		if (!time.textContent.startsWith(word)) time.prepend(word);
	}
}
