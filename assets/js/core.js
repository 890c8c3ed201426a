const doc = document, root = doc.documentElement;
const one = (sel, from = doc) => from.querySelector(sel);
const all = (sel, from = doc) => [...from.querySelectorAll(sel)];
const on = (event, fn, from = doc) => from.addEventListener(event, fn);
const top = (el) => el.getBoundingClientRect().top;
const TURNS = ":is(main, main > .session) > .turn"; // a file of several sessions has each in a .session
const visible = (el) => el.checkVisibility();
// count formats a number as the pages do. Intl would take 20 ms for the first one.
const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
const make = (name, text = "", cls = "") => Object.assign(doc.createElement(name), { textContent: text, className: cls });

// setAddress changes the address of the page. Browsers limit how often, as Safari to 100 times in 30 seconds: what the
// reader types must not fail because of that.
const setAddress = (to) => {
	try { history.replaceState(history.state, "", to); } catch { /* the next change sets it */ }
};

// In Firefox each file on disk is a separate origin with its own storage. Files share cookies, which no server gets.
const isApart = location.protocol === "file:" && location.origin === "null";
const recall = (key) => {
	try {
		const kept = isApart && doc.cookie.match(`(?:^|; )viewer\\.${key}=([^;]*)`);
		return kept ? kept[1] : localStorage["viewer." + key] || "";
	} catch { return ""; } // storage may be blocked
};
const remember = (key, value) => {
	try {
		if (isApart) doc.cookie = `viewer.${key}=${value}; path=/; max-age=31536000; samesite=strict`;
		localStorage["viewer." + key] = value;
	} catch { /* or full */ }
};
