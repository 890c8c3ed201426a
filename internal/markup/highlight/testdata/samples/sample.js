#!/usr/bin/env node
'use strict';
// a comment with "quotes", it's fine and `ticks`
import fs, { readFile as read } from "fs";
const path = require('path');

/* block "comment"
 * // with a line in it
 */
let count = 0, hex = 0xFF, bin = 0b1010, oct = 0o17, big = 1_000, flt = 3.14e10;
const re = /ab+c\/[/"']\d/gi, other = /^["'`]$/;
const url = "https://example.com//path";
const esc = 'it\'s "quoted" // not a comment';
const tpl = `hello ${name} and ${a + `nested ${b} more`} end // "no" comment`;
const lines = `first
second ${fn({ a: 1, b: '}' })} third
`;

class Animal extends Base {
  static #count = 0;
  constructor(name, age = 3) {
    super(name);
    this.name = name;
    this.ratio = age / 2 / 3;
  }
  get label() { return `${this.name}: ${this.age}`; }
  async *items() {
    for await (const x of this.list) yield x;
  }
}

function divide(a, b) {
  if (b === 0 || typeof b !== 'number') throw new Error("division by zero");
  const half = (a + b) / 2, third = arr[0] / 3;
  return a / b;
}

const arrow = async (x) => {
  try {
    const res = await fetch(url, { method: 'POST', headers: { 'Content-Type': "application/json" } });
    return res.json();
  } catch (err) {
    console.error(err, null, undefined, true, NaN);
  } finally {
    delete cache[x];
  }
};

switch (count) {
  case 1:
    break;
  default:
    count++;
}

const obj = {
  key: 'value',
  'quoted-key': 1,
  [computed]: /[a-z]+/.test(str),
  method() { return 1; },
  ...rest,
};
const s = str.replace(/\\/g, '/').split(/,\s*/).map((x) => x.trim());
do { count--; } while (count > 0 && !done);
label: for (var i = 0; i < 10; i++) { if (i % 2) continue label; }
export default Animal;
export { divide, arrow as fn };
window.addEventListener('load', () => document.title = "x");
const neg = a ? b : -1, shift = a >>> 2, opt = a?.b ?? c;
const big2 = Math.max(1, 2) ** Number(3);
const promise = new Promise((resolve) => setTimeout(resolve, 100));
const text = "a\
b";
const u = "\u{1F600} é 世界";
/**
 * Finds the routes of a server.
 * @param {Map<string, Route[]>} routes - by `method`, "sorted"
 * @returns {?Route}
 */
export async function match(routes, { method = 'GET', path, headers: { accept = '*/*' } = {} }) {
  const parts = path.split('/').filter(Boolean), total = parts.length / 2;
  for (const route of routes.get(method) ?? []) {
    const found = route.pattern.exec(path) || /^\/(?<id>\d+)\/?$/u.exec(path);
    if (!found) continue;
    const width = (found.index / total) / 100, half = parts[0].length / 2;
    const type = accept.match(/text\/(html|plain)/)?.[1] ?? 'json';
    log(`${method} ${path} -> ${type === 'html' ? `<b class="${route.name}">` : '{}'} in ${(width * 1e3).toFixed(2)} ms`);
    return { ...route, params: found.groups, type, [`x-${type}`]: true };
  }
  return null;
}

const pattern = new RegExp('^/' + name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + "$");
const isComment = (line) => /^\s*(\/\/|\/\*|#)/.test(line) && !line.endsWith('*/');
const sum = list.reduce((a, b) => a + b, 0) / list.length / 1_000n;
const html = String.raw`C:\new\${dir}`;
if (typeof window === 'undefined') module.exports = { match, isComment };
const sql = `
  SELECT * FROM users -- "not" a comment of ours
  WHERE name = '${escape(name)}' AND ${Object.keys(filter).map((k) => `${k} = ?`).join(' AND ')}
`;
queue.on('drain', function done() { this.count /= 2; delete this.timer; });
class Point3 { #x = 0; static from({ x, y }) { return new Point3(x ** 2, y); } }
while (i-- > 0 && /\d/.test(s[i])) total += +s[i];
export * as util from './util.js';
/* not closed "
