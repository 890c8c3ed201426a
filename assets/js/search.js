// ---- search over all sessions ----

// The counterpart of package search, whose comments describe the index; search/testdata/terms.txt tests that both make
// the same terms. Files of the index are packed scripts.
const hasIndex = !!doc.currentScript?.src; // a single file has none

// -- terms --

const LONGEST = 40;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu, PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const KINDS_OF_WORD = new RegExp(`(?:${PAIRED.source})+|(?:(?!${PAIRED.source}).)+`, "gsu");
const JOINT = /(?<=\P{Lu})(?=\p{Lu})|(?<=.)(?=\p{Lu}\p{Ll})/su;

function fold(word) {
	const low = word.toLowerCase();
	return (low.length === word.length ? low : Array.from(word, (c) => String.fromCodePoint(c.toLowerCase().codePointAt(0))).join("")).replaceAll("ς", "σ");
}

// scan calls back for each term of a text: the term, its start and end, the number of its word, whether it is a part of
// a word.
function scan(text, take) {
	let place = 0;
	const word = (run, at) => {
		const low = fold(run), long = low.length > LONGEST && [...low].length > LONGEST;
		take(long ? [...low].slice(0, LONGEST).join("") : low, at, at + run.length, place, false);
		const parts = long ? [run] : run.split(JOINT);
		if (parts.length > 1) for (const part of parts) take(fold(part), at, at += part.length, place, true);
		place++;
	};
	for (const { 0: run, index } of text.matchAll(WORDS)) {
		if (!PAIRED.test(run)) {
			word(run, index);
			continue;
		}
		for (const { 0: piece, index: inside } of run.matchAll(KINDS_OF_WORD)) {
			let at = index + inside;
			if (!PAIRED.test(piece)) {
				word(piece, at);
				continue;
			}
			const letters = [...piece];
			for (let i = 0; i < Math.max(1, letters.length - 1); at += letters[i++].length) {
				const two = letters.slice(i, i + 2).join("");
				take(fold(two), at, at + two.length, place++, false);
			}
		}
	}
}

// kindAt returns the kind of the letter at an offset: not part of a word, part of one, part of one that is split into
// pairs.
const NONE = 1, PLAIN = 2, PAIR = 3;
const kindOf = new Uint8Array(65536); // by code unit; halves of pairs stay unknown
function kindAt(text, i) {
	const unit = text.charCodeAt(i);
	if (kindOf[unit]) return kindOf[unit];
	const half = unit >= 0xdc00 && unit < 0xe000 && i, letter = String.fromCodePoint(text.codePointAt(half ? i - 1 : i));
	const kind = !/[\p{L}\p{N}\p{M}]/u.test(letter) ? NONE : PAIRED.test(letter) ? PAIR : PLAIN;
	if (letter.length === 1) kindOf[unit] = kind;
	return kind;
}

// scanNear is scan for only those words that contain one of the needles, since splitting all words, or even reading
// each letter, would take a hundred times as long. So words are not counted, and their positions are those of letters.
// low is the text in lower case.
function scanNear(text, low, needles, take) {
	if (low.length !== text.length) return scan(text, take);
	const next = needles.map((n) => low.indexOf(n));
	for (let i = 0; ;) {
		const from = Math.min(...next.filter((at) => at >= 0));
		if (from === Infinity) return;
		let start = from, end = from;
		while (start > i && kindAt(text, start - 1) !== NONE) start--;
		while (end < text.length && kindAt(text, end) !== NONE) end++;
		scan(text.slice(start, end), (term, from, to, at, part) => take(term, start + from, start + to, start + at, part));
		i = Math.max(end, from + 1);
		for (const [k, at] of next.entries()) if (at >= 0 && at < i) next[k] = low.indexOf(needles[k], i);
	}
}

// scanInOrder is scanNear with the positions that scan would return.
function scanInOrder(text, low, needles, take) {
	if (low.length !== text.length) return scan(text, take);
	const next = needles.map((n) => low.indexOf(n));
	for (let i = 0, place = 0; i < text.length;) {
		let kind = kindAt(text, i);
		if (kind === NONE) {
			i++;
			continue;
		}
		const start = i, first = place;
		for (let letters = 0, was = 0; ; kind = i < text.length ? kindAt(text, i) : NONE) {
			if (was && kind !== was) place += was === PAIR ? Math.max(1, letters - 1) : 1;
			if (kind === NONE) break;
			if (kind !== was) letters = 0;
			was = kind;
			letters++;
			i += text.codePointAt(i) > 65535 ? 2 : 1;
		}
		let near = false;
		for (let k = 0; k < next.length; k++) {
			if (next[k] < 0 || next[k] >= i) continue;
			if (next[k] < start) next[k] = low.indexOf(needles[k], start);
			near ||= next[k] >= 0 && next[k] < i;
		}
		if (near) scan(text.slice(start, i), (term, from, to, at, part) => take(term, start + from, start + to, first + at, part));
	}
}

// -- queries --

const KINDS = ["event", "hook", "tool", "thinking", "answer", "prompt", "title", "note"];
const FILTERS = new Set(["tool", "project", "is", "kind", "model", "after", "before", "path", "agent"]);

// The words that package search drops (stop_words.go): a test compares both lists.
const STOP_WORDS = new Set((
	"a about all an and any are as at be been but by can could did do does for from had has have how i if in into is it its " +
	"just me my of on or our please should so some than that the their them then there these they this those to us was we " +
	"were what when where which who why will with would you your s t ll ve isn doesn didn don " +
	"aber auch auf aus bei das dass dem den der des ein eine einem einen einer er es für habe haben ich ihr im ist mit nach " +
	"oder sie sind und vom von wann warum was werden wie wir wird wo zu zum zur " +
	"au aux avec ce ces cette dans de du elle est et il je la le les nous ou où par pour pourquoi quand que quel quelle qui " +
	"quoi sont sur un une vous " +
	"como con cuando cuándo cómo del donde dónde el ella en era esta este hay lo los nosotros o para pero por porque qué se " +
	"su sus una unos y yo").split(" "));

// How many words of a query are looked for: match keeps a bit for each.
const LONGEST_QUERY = 32;

// phraseOf returns a phrase of consecutive words. Only whole words are looked up.
function phraseOf(words, prefix) {
	const terms = [];
	scan(words, (term, start, end, place, part) => part || terms.push(term));
	prefix &&= terms.length <= LONGEST_QUERY;
	terms.splice(LONGEST_QUERY);
	return terms.length ? { terms, prefix: prefix && /[\p{L}\p{N}\p{M}]$/u.test(words) && [...terms.at(-1)].length >= 3 } : null;
}

// parse reads a query. The last word may be incomplete, unless something follows it.
function parse(text) {
	const q = { wanted: [], unwanted: [], filters: [], unknown: [] };
	for (const m of text.matchAll(/(-?)(?:([a-z]+):)?(?:"([^"]*)("?)|(\S+))/g)) {
		const [whole, minus, key, quoted, , plain] = m, value = quoted ?? plain;
		if (key && FILTERS.has(key)) {
			const path = key === "path" && phraseOf(value, true);
			if (key !== "path" || path) q.filters.push({ not: !!minus, key, value: value.toLowerCase(), path });
			continue;
		}
		const isLast = m.index + whole.length === text.length;
		const open = quoted === undefined && (isLast || plain.endsWith("*"));
		const phrase = phraseOf((key ? key + ":" : "") + value.replace(/\*$/, ""), open);
		if (key?.length > 1 && value && !value.startsWith("/")) q.unknown.push(key);
		if (phrase) q[minus ? "unwanted" : "wanted"].push(Object.assign(phrase, { exact: quoted !== undefined || plain.endsWith("*") }));
	}
	const rest = q.wanted.filter((p) => p.exact || !p.terms.every((term) => STOP_WORDS.has(term)));
	if (rest.length) q.wanted = rest;
	for (const list of ["wanted", "unwanted"]) {
		let words = 0;
		q[list] = q[list].filter((p) => (words += p.terms.length) <= LONGEST_QUERY);
	}
	return q;
}

// wrongIn returns what is wrong with a query: an unknown value of a filter; "" if nothing is.
function wrongIn(q) {
	for (const { key, value } of q.filters) {
		const takes = key === "kind" && !KINDS.includes(value) ? KINDS.toReversed().join(", ").replace(/, (\w+)$/, " or $1") :
			key === "is" && value !== "error" ? "error" :
			(key === "after" || key === "before") && !(/^\d{4}(-\d\d){0,2}$/.test(value) && Date.parse(value)) ? "a day, month or year: 2026-07-14, 2026-07, 2026" : "";
		if (takes) return `${key}:${value} is invalid: ${key}: takes ${takes}`;
	}
	return "";
}

// -- the term index --

let directory; // of all units, newest session last

async function readDirectory() {
	const lines = (await fileText("search/index.js")).split("\n").filter(Boolean);
	if (lines[0]?.startsWith("cut ")) return readCut(lines.slice(1));
	const blocks = lines.map((line) => {
		const [name, shards] = line.split(" ");
		return { name, shards: +shards };
	});
	const units = [];
	let at = 0;
	for (const [block, text] of await Promise.all(blocks.map(async (b) => [b, await fileText(`search/${b.name}.js`)]))) {
		block.first = units.length;
		for (const line of text ? text.split("\x1e") : []) {
			const [folder, title, project, models, agent, pages] = line.split("\x1f");
			const session = { folder, title, project, models: models.toLowerCase(), agent, at: at++ };
			for (const unit of pages.split(" ")) {
				const [page, number, first, last, size] = unit.split(",");
				units.push({ session, page, number: +number, first: +first, last: +last, size: +size, at: units.length });
			}
		}
	}
	return { blocks, units };
}

const utf8 = new TextEncoder();

function shardOf(term, shards) {
	let h = 2166136261;
	for (const b of utf8.encode([...term].slice(0, 3).join(""))) h = Math.imul(h ^ b, 16777619);
	return ((h ^ h >>> 15) & shards - 1) >>> 0;
}

// lookup calls back for each posting of a term, or of all terms that begin with it, in a shard: the unit, and the lower
// bits.
function lookup(shard, wanted, prefix, take, bits = 2, begin = () => {}) {
	let i = 0;
	const number = () => {
		let n = 0;
		for (let shift = 0; ; shift += 7) {
			const b = shard[i++];
			n |= (b & 127) << shift;
			if (b < 128) return n;
		}
	};
	let same = 0; // number of letters that the current term shares with the wanted one
	while (i < shard.length) {
		const shared = number(), rest = number();
		let k = i;
		const end = i += rest, length = number(), stop = i + length;
		// Terms are sorted: after those that begin like the wanted one there are no more matches.
		if (shared < same) return;
		if (shared === same) {
			while (same < wanted.length && k < end && shard[k] === wanted[same]) same++, k++;
			if (same < wanted.length && k < end && shard[k] > wanted[same]) return;
		}
		if (same === wanted.length) {
			if (!prefix && (shared > same || k < end)) return;
			begin();
			for (let unit = -1; i < stop;) {
				const n = number();
				take(unit += n >>> bits, n & (1 << bits) - 1);
			}
		}
		i = stop;
	}
}

// unitsWith returns the units with a term, each with its weight there.
async function unitsWith(term, prefix, { blocks, round }) {
	const found = new Map(), wanted = utf8.encode(term);
	await Promise.all(blocks.map(async (b) => {
		const shard = await bytesOf(`search/${b.name}.${shardOf(term, b.shards)}.js`, round);
		lookup(shard, wanted, prefix, (unit, weight) => {
			unit += b.first;
			if (!(found.get(unit) > weight)) found.set(unit, weight);
		});
	}));
	return found;
}

// asksOf returns the terms of a phrase that are looked up, each with whether it may be incomplete.
const asksOf = ({ terms, prefix, skip }) => terms.map((term, i) => [term, prefix && i === terms.length - 1]).filter((_, i) => !skip?.[i]);

async function unitsWithPhrase(phrase, scope) {
	const maps = await Promise.all(asksOf(phrase).map(([term, prefix]) => unitsWith(term, prefix, scope)));
	if (!maps.length) return null;
	maps.sort((a, b) => a.size - b.size);
	const found = new Map();
	for (const [unit, weight] of maps[0]) if (maps.every((m) => m.has(unit))) found.set(unit, Math.min(weight, ...maps.map((m) => m.get(unit))));
	return found;
}

const WORTH = [1, 1.6, 3, 5]; // of the weights

// worthOf returns the weight of a phrase that is in some units of all.
const worthOf = (units, of) => Math.log(1 + (units - of + 0.5) / (of + 0.5));

// termOf returns the index term for a filter, "" if there is none.
const termOf = ({ key, value }) => key === "tool" || key === "kind" || key === "is" && value === "error" ? `${key}:${value}` : "";

// candidates returns the units of a scope that may have hits, the most promising first, the newest of equals.
async function candidates(q, scope) {
	const { units } = scope;
	const need = [...q.wanted.map((phrase) => ({ phrase, found: unitsWithPhrase(phrase, scope) }))];
	const only = q.filters.filter((f) => !f.not && !f.inText).flatMap((f) =>
		f.key === "path" ? [unitsWithPhrase(f.path, scope)] : termOf(f) ? [unitsWith(termOf(f), false, scope)] : []);
	const score = new Float64Array(units.length), share = new Float64Array(units.length); // of the weights of the words
	let some = units, whole = 0;
	for (const n of need) {
		const found = await n.found;
		if (!n.phrase.known) [n.phrase.units, n.phrase.worth] = [found.size, worthOf(units.length, found.size)];
		whole += n.phrase.worth;
		if (!found) continue; // no term of it was looked up
		if (!q.partial) some = some.filter((u) => found.has(u.at));
		for (const u of some) {
			if (!found.has(u.at)) continue;
			score[u.at] += n.phrase.worth * WORTH[found.get(u.at)];
			share[u.at] += n.phrase.worth;
		}
	}
	if (q.partial) some = some.filter((u) => score[u.at]);
	for (const found of await Promise.all(only)) if (found) some = some.filter((u) => found.has(u.at));
	for (const f of q.filters) some = some.filter((u) => fitsUnit(u, f));
	for (const u of some) {
		score[u.at] /= 4 + u.size;
		if (q.partial) score[u.at] *= share[u.at] / whole;
	}
	q.like = (u) => `${score[u.at]} ${u.size}`;
	return some.sort((a, b) => score[b.at] - score[a.at] || b.session.at - a.session.at || a.at - b.at);
}

const daysOf = (value) => Math.floor(Date.parse(value) / 864e5);

function fitsUnit(u, f) {
	switch (f.key) {
	case "project": return u.session.project.toLowerCase().includes(f.value) !== f.not;
	case "model": return u.session.models.includes(f.value) !== f.not;
	case "agent": return u.session.agent.startsWith(f.value) !== f.not;
	case "after": return f.not || !(u.last < daysOf(f.value));
	case "before": return f.not || !u.first || !(u.first >= daysOf(f.value));
	}
	return true;
}

// -- the index of very many sessions --

// The counterpart of search/cut.go: a query reads files in rounds of about 30. The first round finds in the directories
// of terms which blocks have all words, and searches the most promising ones; another round continues where it ended.
const ROUND_FILES = 30, MOST_BYTES = 95e4, ROUND_BYTES = 7e5, UNIT_BYTES = 1e4, UNIT_FILES = 2, MOST_TERMS = 4, TITLED_TOGETHER = 128;

const room = ({ round }) => round.bytes >= ROUND_BYTES ? 0 : ROUND_FILES - round.files;

function readCut(lines) {
	const blocks = [], directories = [];
	let session = 0, units = 0;
	for (const line of lines) {
		const [name, ...of] = line.split(" "), [shards, ofBlock, held, first, last] = of.map(Number);
		if (name === "terms") {
			const d = { name: `terms-${of[0]}`, shards: +of[1], of: blocks.filter((b) => b.name.startsWith(of[0] + "-")) };
			for (const b of d.of) b.directory = d;
			directories.push(d);
		} else {
			blocks.push({ name, shards, session, sessions: ofBlock, days: [first, last], at: blocks.length });
			session += ofBlock;
			units += held;
		}
	}
	return { blocks, directories, units };
}

// chooseTerms chooses the terms to look up: the longest words, then the words of paths, then tools and other filters.
// The rest is matched against texts.
function chooseTerms(q) {
	const words = [], others = [];
	const add = (to, phrase) => {
		phrase.skip = phrase.terms.map(() => true);
		phrase.terms.forEach((term, i) => to.push({ letters: [...term].length, take: () => { phrase.skip[i] = false; } }));
	};
	for (const phrase of q.wanted) add(words, phrase);
	for (const f of q.filters.filter((f) => !f.not)) {
		if (f.key === "path") add(others, f.path);
		else if (termOf(f)) {
			f.inText = true;
			others.push({ take: () => { f.inText = false; } });
		}
	}
	const chosen = [...words.sort((a, b) => b.letters - a.letters), ...others].slice(0, MOST_TERMS);
	for (const c of chosen) c.take();
	return chosen.length;
}

// blocksWith returns the blocks with a term, or with one that begins with it: each with the logarithm of the number of
// its units, and its weight there.
async function blocksWith(term, prefix, round) {
	const found = new Map(), wanted = utf8.encode(term);
	const add = (at, count, weight) => {
		const known = found.get(at) || { count: 0, weight: 0 };
		found.set(at, { count: Math.max(known.count, count), weight: Math.max(known.weight, weight) });
	};
	const shard = (b) => bytesOf(`search/${b.name}.${shardOf(term, b.shards)}.js`, round);
	await Promise.all([
		...directory.directories.map(async (d) => lookup(await shard(d), wanted, prefix, (n, bits) => add(d.of[n].at, Math.max(bits >> 2, 1), bits & 3), 6)),
		...directory.blocks.filter((b) => !b.directory).map(async (b) => {
			let units = 0;
			lookup(await shard(b), wanted, prefix, (_, weight) => add(b.at, Math.min(32 - Math.clz32(++units), 15), weight), 2, () => { units = 0; });
		}),
	]);
	return found;
}

async function blocksWithPhrase(phrase, round) {
	const maps = await Promise.all(asksOf(phrase).map(([term, prefix]) => blocksWith(term, prefix, round)));
	if (!maps.length) return null;
	const found = new Map();
	for (const at of maps[0].keys()) {
		const all = maps.map((m) => m.get(at));
		if (all.every(Boolean)) found.set(at, { count: Math.min(...all.map((p) => p.count)), weight: Math.min(...all.map((p) => p.weight)) });
	}
	return found;
}

// blocksFor returns the numbers of the blocks that may have hits, the most promising first. It sets the weights of the
// words.
async function blocksFor(q, round) {
	const score = new Map(), filters = q.filters.filter((f) => !f.not);
	const lists = await Promise.all(filters.filter((f) => f.key === "project").map(async (f) => new Set(
		(await fileText("search/projects.js", round)).split("\n").map((line) => line.split("\x1f"))
			.filter(([project, blocks]) => blocks && project.toLowerCase().includes(f.value)).flatMap(([, blocks]) => blocks.split(" ").map(Number)))));
	for (const { at, days } of directory.blocks) {
		if (!lists.every((list) => list.has(at))) continue;
		if (filters.every((f) => f.key === "after" ? days[1] >= daysOf(f.value) : f.key !== "before" || days[0] < daysOf(f.value))) score.set(at, 0);
	}
	const keep = (found) => { for (const at of score.keys()) if (!found.has(at)) score.delete(at); };
	const any = new Set();
	const [wanted, only] = await Promise.all([
		Promise.all(q.wanted.map((phrase) => blocksWithPhrase(phrase, round))),
		Promise.all(filters.filter((f) => !f.inText && (f.key === "path" || termOf(f)))
			.map((f) => f.key === "path" ? blocksWithPhrase(f.path, round) : blocksWith(termOf(f), false, round))),
	]);
	for (const [i, found] of wanted.entries()) {
		const phrase = Object.assign(q.wanted[i], { known: true, units: 0, worth: 1 });
		if (!found) continue;
		for (const [at, { count, weight }] of found) {
			any.add(at);
			phrase.units += 1 << count - 1;
			if (score.has(at)) score.set(at, score.get(at) + WORTH[weight]);
		}
		phrase.units = Math.min(phrase.units, directory.units);
		phrase.worth = worthOf(directory.units, phrase.units);
		if (!q.partial) keep(found);
	}
	if (q.partial) keep(any);
	for (const found of only) if (found) keep(found);
	return [...score.keys()].sort((a, b) => score.get(b) - score.get(a) || b - a);
}

// beginCut begins a query with the blocks to search.
async function beginCut(q) {
	q.lookedUp = chooseTerms(q);
	q.round ||= { files: q.filters.some((f) => f.key === "path") ? 3 : 1, bytes: 0, known: new Set() };
	q.blocks = await blocksFor(q, q.round);
	q.upTo = q.blocks.reduce((n, at) => n + directory.blocks[at].sessions, 0);
}

// nextBlocks returns the candidates in the next blocks of a query.
async function nextBlocks(q) {
	const now = q.blocks.splice(0, Math.max(1, Math.floor(room(q) / 2 / (1 + q.lookedUp)))).sort((a, b) => a - b);
	const scope = { blocks: [], units: [], round: q.round };
	for (const [i, text] of (await Promise.all(now.map((at) => fileText(`search/${directory.blocks[at].name}.js`, q.round)))).entries()) {
		const b = directory.blocks[now[i]], sessions = [], [projects, models, agents, ...lines] = text.split("\x1e").map((line, i) => i < 3 ? line.split("\x1f") : line);
		scope.blocks.push({ name: b.name, shards: b.shards, first: scope.units.length });
		for (const line of lines) {
			const [values, ...units] = line.split(" "), [project, model, agent] = values.split(","), n = sessions.length;
			const session = { project: projects[project], models: models[model].toLowerCase(), agent: agents[agent], at: b.session + n, units: [] };
			session.complete = (round) => complete(b, sessions, Math.floor(n / TITLED_TOGETHER), round);
			for (const unit of units) {
				const [first, days, size] = unit.split(",").map(Number), one = { session, first, last: first + days, size, at: scope.units.length };
				session.units.push(one);
				scope.units.push(one);
			}
			sessions.push(session);
		}
	}
	q.worth = new Map();
	return candidates(q, scope);
}

// complete reads the titles of sessions of a block from a file of titles.
async function complete(b, sessions, part, round) {
	if (sessions[part * TITLED_TOGETHER].folder !== undefined) return;
	for (const [i, line] of (await fileText(`search/${b.name}.t${part}.js`, round)).split("\x1e").entries()) {
		const session = sessions[part * TITLED_TOGETHER + i], [folder, title, pages] = line.split("\x1f");
		Object.assign(session, { folder, title });
		for (const [k, unit] of (pages ? pages.split(" ") : []).entries()) {
			const [page, number] = unit.split(",");
			Object.assign(session.units[k], { page, number: +number });
		}
	}
}

// -- the texts of units --

const unitName = (page, number) => `${page}.search${number ? "-" + (number + 1) : ""}.js`;

const documentsOf = (text) => text.split("\x1e").map((document) => {
	const [anchor, kind, failed, at, tool, path, body, rest] = document.split("\x1f");
	return { anchor, kind: KINDS[kind], failed: !!failed, time: at && parseInt(at, 36), tool, path, text: body || "", rest };
});

// match finds phrases in a text: for each the number of matches, and the places of the first few.
function match(text, phrases, rest, lowText = fold(text), lowRest = fold(rest || "")) {
	const wanted = new Map(); // term -> bits
	const begins = []; // [term, bit]
	let bit = 1;
	for (const p of phrases) {
		p.bits = p.terms.map((term, i) => {
			if (p.prefix && i === p.terms.length - 1) begins.push([term, bit]);
			else wanted.set(term, (wanted.get(term) || 0) | bit);
			const own = bit;
			bit <<= 1;
			return own;
		});
	}
	const needles = phrases.flatMap((p) => p.terms);
	const inOrder = phrases.some((p) => p.terms.length > 1);
	const look = (text, low, each) => (inOrder ? scanInOrder : scanNear)(text, low, needles, (term, start, end, place) => {
		let bits = wanted.get(term) || 0;
		for (const [begin, own] of begins) if (term.startsWith(begin)) bits |= own;
		each(bits, start, end, place);
	});
	const at = new Map();
	let all = 0;
	look(text, lowText, (bits, start, end, place) => {
		if (!bits) return;
		all |= bits;
		const known = at.get(place);
		if (known) known.bits |= bits;
		else at.set(place, { bits, start, end });
	});
	if (rest) look(rest, lowRest, (bits) => { all |= bits; });
	const counts = phrases.map(() => 0), spots = [];
	phrases.forEach((p, k) => {
		const most = spots.length + 100;
		for (const [place, first] of at) {
			if (!(first.bits & p.bits[0])) continue;
			let last = first;
			if (!p.bits.every((own, i) => (last = at.get(place + i)) && last.bits & own)) continue;
			counts[k]++;
			if (spots.length < most) spots.push([first.start, last.end, k]);
		}
		if (!counts[k] && rest && p.bits.every((own) => all & own)) counts[k] = 1;
	});
	return { counts, spots: spots.sort((a, b) => a[0] - b[0]) };
}

const BOOST = { event: 0.7, hook: 0.8, tool: 1, thinking: 1.2, answer: 1.6, prompt: 3, title: 5, note: 3 };

function fits(d, f) {
	switch (f.key) {
	case "tool": return (d.tool.toLowerCase() === f.value) !== f.not;
	case "kind": return (d.kind === f.value) !== f.not;
	case "is": return (f.value === "error" && d.failed) !== f.not;
	case "after": return !!d.time && (d.time >= Date.parse(f.value) / 1000) !== f.not;
	case "before": return !!d.time && (d.time < Date.parse(f.value) / 1000) !== f.not;
	case "path": return (!!d.path && match(d.path, [f.path]).counts[0] > 0) !== f.not;
	}
	return true;
}

// hitsIn returns the documents of a unit that a query finds.
async function hitsIn(u, q) {
	const needles = q.wanted.flatMap((p) => p.terms), found = [];
	await u.session.complete?.(q.round);
	for (const d of documentsOf(await fileText(`s/${u.session.folder}/${unitName(u.page, u.number)}`, q.round))) {
		if (!q.filters.every((f) => fits(d, f))) continue;
		// Searching for letters is much faster than for words, and most texts do not even have those.
		const low = fold(d.text), lowRest = fold(d.rest || "");
		if (!needles[q.partial ? "some" : "every"]((n) => low.includes(n) || lowRest.includes(n))) continue;
		const { counts, spots } = match(d.text, q.wanted, d.rest, low, lowRest);
		if (!counts[q.partial ? "some" : "every"](Boolean)) continue;
		if (q.unwanted.length && match(d.text, q.unwanted, d.rest, low, lowRest).counts.some(Boolean)) continue;
		let score = q.wanted.length ? 0 : 1, share = 0, whole = 0;
		q.wanted.forEach((p, k) => {
			whole += p.worth;
			if (counts[k]) share += p.worth;
			score += p.worth * counts[k] * 2.2 / (counts[k] + 1.2 * (0.5 + 0.5 * d.text.length / 900));
		});
		if (q.partial) score *= share / whole;
		found.push({ ...d, unit: u, spots, score: score * BOOST[d.kind] });
	}
	return found;
}

const AT_FIRST = 8, AT_LEAST = 4, AT_ONCE = 16, BULK_AT_ONCE = 64, ENOUGH = 10;

// round removes the units of the next round from the list. The first unit of each signature comes before others with
// the same, unless such units had hits: a unit with the signature of one without a hit is often a copy.
function round(q, units, most, bulkAtOnce = BULK_AT_ONCE) {
	const now = new Set(), met = new Set();
	let bulk = 0, full = false;
	const take = (u) => {
		if (full || now.has(u)) return;
		full = now.size === most || now.size && bulk + (1 << u.size) > bulkAtOnce;
		if (full) return;
		now.add(u);
		bulk += 1 << u.size;
	};
	for (const u of units) {
		const like = q.like(u);
		if (q.worth.get(like) || !met.has(like)) take(u);
		met.add(like);
	}
	units.forEach(take);
	units.splice(0, units.length, ...units.filter((u) => !now.has(u)));
	return [...now];
}

// unread counts a unit that could not be read. Another search tries again.
function unread(q, { message }) {
	q.unread = (q.unread || 0) + 1;
	files.delete(message);
	return [];
}

// hunt finds the next hits, by session, the best first; units keeps the rest.
async function hunt(q, units) {
	const groups = new Map();
	let n = 0, looked = 0;
	q.worth ||= new Map();
	if (q.goesOn) Object.assign(q.round, { files: 0, bytes: 0 });
	while ((units.length || q.blocks?.length) && n < ENOUGH && !q.isOver()) {
		if (q.round && room(q) < UNIT_FILES + (units.length ? 0 : 1 + q.lookedUp)) break;
		if (!units.length) {
			looked = 0;
			units.push(...await nextBlocks(q));
			continue;
		}
		// Twice as many as are needed if the next have as many hits as those before.
		let most = looked || n ? Math.max(AT_LEAST, Math.min(AT_ONCE, Math.ceil(2 * (ENOUGH - n) * looked / n))) : AT_FIRST;
		if (q.round) most = Math.min(most, Math.floor(room(q) / UNIT_FILES));
		const bulk = q.round ? Math.min(BULK_AT_ONCE, Math.floor((MOST_BYTES - q.round.bytes) / UNIT_BYTES)) : BULK_AT_ONCE;
		const now = round(q, units, most, bulk), found = new Map();
		looked += now.length;
		for (const [i, hits] of (await Promise.all(now.map((u) => hitsIn(u, q).catch((e) => unread(q, e))))).entries()) {
			const like = q.like(now[i]);
			found.set(like, (found.get(like) || 0) + hits.length);
			for (const hit of hits) {
				const { session } = hit.unit;
				if (!groups.has(session)) groups.set(session, []);
				groups.get(session).push(hit);
				n++;
			}
		}
		for (const [like, hits] of found) q.worth.set(like, hits > 0);
		const isLate = (u) => found.get(q.like(u)) === 0;
		units.splice(0, units.length, ...units.filter((u) => !isLate(u)), ...units.filter(isLate));
	}
	const better = (a, b) => (a.kind === "event") - (b.kind === "event") || b.score - a.score; // events come last
	const all = [...groups].map(([session, hits]) => ({ session, hits: withoutTitle(hits).sort((a, b) => better(a, b) || b.time - a.time || 0) }));
	return all.sort((a, b) => better(a.hits[0], b.hits[0]) || b.session.at - a.session.at);
}

// withoutTitle removes the hit in a title that is a sentence of a prompt which is also a hit. The prompt gets its
// score.
function withoutTitle(hits) {
	const title = hits.find((hit) => hit.kind === "title");
	if (!title) return hits;
	const words = wordsOf(title.text), prompt = hits.find((hit) => hit.kind === "prompt" && wordsOf(hit.text).includes(words));
	if (!prompt) return hits;
	prompt.score = Math.max(prompt.score, title.score);
	return hits.filter((hit) => hit !== title);
}

// wordsOf returns the words of a text with blanks between and around them, without a last word that is cut off.
function wordsOf(text) {
	const words = [];
	scan(text.replace(/…$/, ""), (term, start, end, place, part) => part || words.push(term));
	if (words.length > 1 && text.endsWith("…")) words.pop();
	return ` ${words.join(" ")} `;
}

// -- files that sessions changed --

const MOST_PLACES = 100, MOST_FILES = 5;

// filesFor returns the files that match the path: filter of a query, those with the shortest paths first.
async function filesFor(q) {
	const wanted = q.filters.filter((f) => f.key === "path" && !f.not), of = q.filters.filter((f) => f.key === "project");
	if (!wanted.length) return [];
	const lines = async (name) => (await fileText(name).catch(() => "")).split("\n").filter(Boolean).map((line) => line.split("\x1f"));
	const places = (await lines("search/files.js")).filter(([, project]) => of.every((f) => project.toLowerCase().includes(f.value) !== f.not));
	if (directory.directories && places.length > 1) return []; // too many to load
	const found = await Promise.all(places.slice(0, MOST_PLACES).map(async ([folder, project]) => (await lines(folder + "paths.js"))
		.filter(([path]) => wanted.every((f) => match(path, [f.path]).counts[0]))
		.map(([path, page, sessions]) => ({ path, project, sessions: +sessions, href: site + folder + page }))));
	return found.flat().sort((a, b) => a.path.length - b.path.length || b.sessions - a.sessions);
}

// -- words that are nowhere --

const VOWELS = "aeiou", NEAR_LEAST = 4, NEAR_LONE = 6, NEAR_MOST = 3, NEAR_WORDS = 3, NEAR_READS = 48, NEAR_CUT_READS = 8;

// beginnings returns the likely first letters of a term that is similar to a word, the most likely first (see near.go).
function beginnings([a, b, c, d], most) {
	const some = [a + b + c, b + a + c, a + c + b, a + b + d, b + c + d, a + c + d, a + b + b];
	for (const v of VOWELS) some.push(a + v + b, a + b + v);
	if (VOWELS.includes(b)) for (const v of VOWELS) some.push(a + v + c);
	return [...new Set(some)].slice(0, most);
}

// edits returns the least number of insertions, deletions, replacements and swaps of neighbouring letters that turn a
// into b.
function edits(a, b, most) {
	if (Math.abs(a.length - b.length) > most) return most + 1;
	let before = [], last = [...b.map((_, j) => j), b.length];
	for (let i = 0; i < a.length; i++) {
		const row = [i + 1];
		for (let j = 0; j < b.length; j++) {
			let n = last[j];
			if (a[i] !== b[j]) n = Math.min(n, last[j + 1], row[j]) + 1;
			if (i && j && a[i] === b[j - 1] && a[i - 1] === b[j]) n = Math.min(n, before[j - 1] + 1);
			row.push(n);
		}
		if (Math.min(...row) > most) return most + 1;
		before = last;
		last = row;
	}
	return last[b.length];
}

// termsIn calls back for each term of a shard, with the number of its units; for a directory the approximate number.
function termsIn(shard, isDirectory, take) {
	let i = 0, letters = [];
	const number = () => {
		let n = 0;
		for (let shift = 0; ; shift += 7) {
			const b = shard[i++];
			n |= (b & 127) << shift;
			if (b < 128) return n;
		}
	};
	while (i < shard.length) {
		const shared = number(), rest = number();
		letters = [...letters.slice(0, shared), ...shard.subarray(i, i += rest)];
		let units = 0;
		const length = number();
		for (const stop = i + length; i < stop;) {
			const n = number();
			units += isDirectory ? 1 << Math.max(n >>> 2 & 15, 1) - 1 : 1;
		}
		take(letters, units);
	}
}

// nearTo returns terms that are similar to a word that no session has.
async function nearTo(word, round) {
	const letters = [...word], most = letters.length < NEAR_LONE ? 1 : 2, units = new Map(), text = new TextDecoder();
	if (letters.length < NEAR_LEAST || /\p{N}/u.test(word)) return [];
	const { directories } = directory, reads = directories ? NEAR_CUT_READS / (directories.length + 1) : NEAR_READS / directory.blocks.length;
	const begin = beginnings(letters, Math.max(1, Math.floor(reads))), bytes = begin.map((s) => utf8.encode(s));
	const held = directories ? [...directories, ...directory.blocks.filter((b) => !b.directory)] : directory.blocks;
	await Promise.all(held.map(async (b) => {
		for (const k of new Set(begin.map((s) => shardOf(s, b.shards)))) {
			termsIn(await bytesOf(`search/${b.name}.${k}.js`, round), !!b.of, (term, n) => {
				if (!bytes.some((s) => s.every((byte, i) => term[i] === byte))) return;
				const word = text.decode(new Uint8Array(term));
				units.set(word, (units.get(word) || 0) + n);
			});
		}
	}));
	const some = [...units].map(([term, n]) => ({ term, n, letters: [...term] })).filter((c) => c.letters.length >= NEAR_LEAST - 1 && !c.term.includes(":"));
	for (const c of some) c.edits = edits(letters, c.letters, most);
	const near = some.filter((c) => c.edits <= most).sort((a, b) => a.edits - b.edits || b.n - a.n || (a.term < b.term ? -1 : 1));
	return near.filter((c) => c.edits === near[0].edits).slice(0, NEAR_MOST).map((c) => c.term);
}

// near returns the words of a query that no session has, each with similar terms.
const near = (q) => Promise.all(q.wanted.filter((p) => !p.units && !p.exact && p.terms.length === 1).slice(0, NEAR_WORDS)
	.map(async ({ terms: [word] }) => ({ word, terms: await nearTo(word, q.round) })));

// -- what a reader sees --

let finder, asked, results, status, narrow, hints, turn = 0;
let before = ""; // the hash before the search
const SHOWN = 3; // hits of a session at first

// shown shows by their numbers the characters that would reorder or hide text, as package markup does on pages.
const shown = (text) => text.replace(/[\xad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, (c) => "U+" + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0"));

// snippet returns the text around the first place with the most matches, with marks.
const WIDTH = 240;
function snippet({ text, spots, tool }) {
	const el = make("span", "", "snip");
	const begin = tool && text.startsWith(tool) ? tool.length : 0; // the tool is shown beside it
	let first = spots[0]?.[0] ?? begin, most = 1;
	for (let i = 0; i < spots.length; i++) {
		const near = new Set();
		for (let j = i; j < spots.length && spots[j][1] < spots[i][0] + WIDTH / 2; j++) near.add(spots[j][2]);
		if (near.size > most) [most, first] = [near.size, spots[i][0]];
	}
	let from = first > begin + 70 ? first - 60 : Math.min(begin, first);
	if (from > begin) from += text.slice(from, first).search(/(?<=\s)\S|$/);
	const to = Math.min(text.length, from + WIDTH);
	let at = from;
	if (from > begin) el.append("… ");
	for (const [start, end] of spots) {
		if (start < at || end > to) continue;
		el.append(shown(text.slice(at, start)), make("mark", shown(text.slice(start, end))));
		at = end;
	}
	el.append(shown(text.slice(at, to)), to < text.length ? " …" : "");
	return el;
}

function hrefOf({ unit, anchor, text, spots }) {
	const page = `${site}s/${encodeURIComponent(unit.session.folder)}/${unit.page.split("/").map(encodeURIComponent).join("/")}.html`;
	if (!anchor) return page;
	return page + (spots.length ? `#find=${encodeURIComponent(text.slice(...spots[0]))}&at=${encodeURIComponent(anchor)}` : "#" + anchor);
}

function hitItem(hit) {
	const item = make("li"), link = make("a", "", "hit"), kind = make("span", hit.kind === "tool" ? hit.tool : hit.kind, "kind");
	if (hit.failed) kind.classList.add("bad");
	link.dataset.kind = hit.kind;
	link.href = hrefOf(hit);
	link.append(kind, snippet(hit));
	item.append(link);
	return item;
}

function groupItem({ session, hits }) {
	const item = make("li", "", "group"), head = make("p"), list = make("ul");
	head.append(make("b", shown(session.title)), make("small", [shown(session.project), hits[0].time && dayOf(new Date(hits[0].time * 1000))].filter(Boolean).join(" · ")));
	list.append(...hits.slice(0, SHOWN).map(hitItem));
	item.append(head, list);
	if (hits.length > SHOWN) item.append(button(`${hits.length - SHOWN} more in this session`, (e) => {
		e.target.remove();
		list.append(...hits.slice(SHOWN).map(hitItem));
		one("a", list.children[SHOWN]).focus();
	}));
	return item;
}

// filesItem returns links to the pages of files.
function filesItem(found) {
	const item = make("li", "", "files"), head = make("p"), list = make("ul");
	head.append(make("b", "Files that sessions changed"), make("small", found.length > MOST_FILES ? `${MOST_FILES} of ${count(found.length)}` : ""));
	for (const { path, project, sessions, href } of found.slice(0, MOST_FILES)) {
		const row = make("li"), link = make("a", "", "hit"), words = make("span", shown(path), "snip");
		words.append(make("small", `\u00a0·\u00a0${shown(project)}\u00a0·\u00a0${plural(sessions, "session")}`));
		link.href = href;
		link.append(make("span", "file", "kind"), words);
		row.append(link);
		list.append(row);
	}
	item.append(head, list);
	return item;
}

function button(label, fn) {
	const el = make("button", label, "pill");
	el.type = "button";
	on("click", fn, el);
	return el;
}

const HINTS = {
	"word": "a word, or a part of a name: parse finds parseHTTPHeader", "begin*": "words that begin like this", '"some words"': "words that follow each other", "-word": "without it",
	"kind:prompt": "prompt, answer, thinking, tool, hook, event, title or note", "tool:Edit": "calls of a tool", "is:error": "what failed", "path:src/main": "calls about a file",
	"project:x model:opus": "of a project, with a model", "agent:codex": "of a coding agent", "after:2026-07-01 before:2026-08": "in a time",
};

// narrower returns buttons for the kinds and projects of the hits so far, each a filter to add to the query or to
// remove.
const MOST_PROJECTS = 4;
function narrower(q, tally) {
	const offers = ["kind", "project"].flatMap((key) => {
		const values = [...tally[key]].sort((a, b) => b[1] - a[1]);
		const chosen = (value) => q.filters.some((f) => !f.not && f.key === key && f.value === value.toLowerCase());
		if (values.length < 2 && !values.some(([value]) => chosen(value))) return [];
		return values.slice(0, key === "kind" ? values.length : MOST_PROJECTS).map(([value, n]) => {
			const el = button(value, () => {
				const filter = `${key}:${/\s/.test(value) ? `"${value}"` : value}`, words = asked.value.trim();
				const rest = words.split(filter).map((part) => part.trim()).filter(Boolean).join(" ");
				asked.value = chosen(value) ? rest : `${words} ${filter} `.trimStart();
				asked.focus();
				ask();
			});
			el.ariaPressed = String(chosen(value));
			el.append(make("i", " " + count(n)));
			return el;
		});
	});
	narrow.replaceChildren(...offers.length ? [make("small", "so far"), ...offers] : []);
}

// answerTo describes the result in words: the words that no message has, and similar words.
function answerTo(q, n, isMore, sessions, missing) {
	const said = !n ? isMore ? `Nothing so far in up to ${plural(sessions, "session")}` : "Nothing found" : q.partial ? "No message has all words; best match" :
		isMore ? `The best of up to ${plural(sessions, "session")}` : plural(n, "session");
	const parts = [said];
	if (q.partial || !n) {
		for (const { word, terms } of missing) {
			if (terms.length) parts.push(`\u00a0·\u00a0did you mean `, ...terms.flatMap((term, i) => [i ? " or " : "", button(term, () => {
				asked.value = asked.value.replace(new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${word}(?![\\p{L}\\p{N}\\p{M}])`, "iu"), term);
				asked.focus();
				ask();
			})]));
			else if (q.partial) parts.push(`\u00a0·\u00a0${word} is in no session`);
		}
		for (const key of q.unknown) parts.push(`\u00a0·\u00a0${key}: is not a filter`);
	}
	if (q.unread) parts.push(`\u00a0·\u00a0${plural(q.unread, "part")} of the index could not be read`);
	return parts;
}

async function ask() {
	const text = asked.value, own = ++turn, q = parse(text), wrong = wrongIn(q);
	q.isOver = () => own !== turn;
	if (finder.open) setAddress(text.trim() ? "#search=" + encodeURIComponent(text.trim()) : address + before);
	if (wrong || !q.wanted.length && !q.filters.length) {
		results.replaceChildren();
		narrow.replaceChildren();
		status.textContent = wrong || (text.trim() ? "No word to search for" : "");
		hints.hidden = false;
		finder.dataset.asked = text;
		return;
	}
	const tally = { kind: new Map(), project: new Map() };
	try {
		directory ||= await readDirectory();
		const offered = filesFor(q);
		let units, sessions, missing = [];
		const begin = async () => {
			if (directory.directories) {
				await beginCut(q);
				[units, sessions] = [[], q.upTo];
			} else {
				units = await candidates(q, directory);
				sessions = new Set(units.map((u) => u.session)).size;
			}
		};
		await begin();
		const isMore = () => units.length > 0 || q.blocks?.length > 0;
		if (q.isOver()) return;
		const more = async (focus) => {
			q.goesOn = focus && !!q.round;
			let groups = await hunt(q, units);
			if (q.isOver()) return;
			if (!focus && !groups.length && !isMore()) {
				missing = await near(q);
				q.partial = q.wanted.length > 1;
				if (q.partial) {
					Object.assign(q, { worth: null, unread: 0 });
					await begin();
					groups = await hunt(q, units);
				}
				if (q.isOver()) return;
			}
			const touched = focus ? [] : await offered;
			if (q.isOver()) return;
			if (!focus) results.replaceChildren(...touched.length ? [filesItem(touched)] : []);
			one(".more", results)?.remove();
			const items = groups.map(groupItem);
			results.append(...items);
			if (isMore()) {
				const last = make("li", "", "more");
				last.append(button("More", () => more(true)));
				results.append(last);
			}
			if (focus) one("a", items[0] || results)?.focus();
			for (const { session, hits } of groups) {
				for (const hit of hits) tally.kind.set(hit.kind, (tally.kind.get(hit.kind) || 0) + 1);
				if (session.project) tally.project.set(session.project, (tally.project.get(session.project) || 0) + hits.length);
			}
			narrower(q, tally);
			const n = results.querySelectorAll(".group").length;
			hints.hidden = n > 0 || touched.length > 0 || isMore();
			status.replaceChildren(...answerTo(q, n, isMore(), sessions, missing));
			finder.dataset.asked = text;
		};
		await more();
	} catch (e) {
		if (own === turn) status.textContent = directory ? "A part of the index could not be read" : "No index to search here: the site was built without one";
		files.delete(e.message);
	}
}

function search(text = "") {
	if (!hasIndex || !window.DecompressionStream) return one("#filter")?.focus();
	if (!finder) {
		finder = make("dialog", "", "finder");
		finder.ariaLabel = "Search all sessions";
		asked = make("input");
		asked.type = "search";
		asked.ariaLabel = asked.placeholder = "Search all sessions";
		status = make("output");
		results = make("ul", "", "results");
		narrow = make("div", "", "narrow");
		narrow.role = "group";
		narrow.ariaLabel = "Narrow down, by what was found so far";
		hints = make("dl", "", "hints");
		for (const [query, what] of Object.entries(HINTS)) {
			const dt = make("dt");
			dt.append(...query.split(/ (?=\w+:)/).flatMap((part) => [make("code", part), " "]));
			hints.append(dt, make("dd", what));
		}
		finder.append(asked, status, narrow, results, hints);
		on("input", ask, asked);
		on("keydown", (e) => {
			if (e.key === "Escape") { // which a search field handles itself
				e.preventDefault();
				return finder.close();
			}
			const links = all("a, button", results), i = links.indexOf(doc.activeElement);
			const next = { ArrowDown: links[i + 1], ArrowUp: i > 0 ? links[i - 1] : asked, Enter: e.target === asked && !e.isComposing && links[0] }[e.key];
			if (!next) return;
			e.preventDefault();
			if (e.key === "Enter") next.click();
			else next.focus();
		}, finder);
		on("click", (e) => { if (e.target === finder) finder.close(); }, finder);
		on("close", () => { if (location.hash.startsWith("#search=")) setAddress(address + before); }, finder);
		doc.body.append(finder);
		readDirectory().then((d) => { directory ||= d; }, () => {});
	}
	if (!finder.open) {
		before = location.hash.startsWith("#search=") ? "" : location.hash;
		finder.showModal();
	}
	if (text) asked.value = text;
	asked.focus();
	asked.select();
	if (asked.value) ask();
}

// searchAgain continues a search from the address.
function searchAgain() {
	const text = new URLSearchParams(location.hash.slice(1)).get("search");
	if (text && !(finder?.open && asked.value.trim() === text)) search(text);
}
