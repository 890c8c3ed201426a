// TypeScript: "quotes" in comments, it's fine
import { Component, type OnInit } from '@angular/core';
import type { Foo } from "./foo";

/** Docs with `code` and 'quotes'. */
export interface Props extends Base {
  readonly name: string;
  count?: number;
  items: Array<string>;
  on(event: 'a' | "b", cb: (x: unknown) => void): void;
}

@Component({ selector: 'app-root', template: `<p>{{ name }} "x"</p>` })
export class AppComponent implements OnInit {
  private map: Map<string, number[]> = new Map();
  static instance: AppComponent | null = null;
  protected abstract foo?: boolean;

  constructor(private readonly http: HttpClient, public name = 'x') {
    super();
  }

  async ngOnInit(): Promise<void> {
    const res = await this.http.get<Foo[]>(`/api/${this.name}/items?x=${encodeURIComponent("a b")}`);
    for (const item of res) {
      if (item.id === 0x1f || item.n > 1.5 && !item.done) continue;
      this.map.set(item.key, [1, 2, 3]);
    }
  }

  get size(): number { return this.map.size / 2; }
}

type Keys<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T];
enum Color { Red = 'RED', Green = "GREEN" }
declare module 'x' {
  export function f(a: number, b?: string): asserts a is number;
}
namespace N { export const x = 1; }
const re = /^\/api\/(\w+)"?$/i;
const n = value as unknown as number;
let u: undefined = undefined;
const fn = <T,>(x: T): T => x;
function isString(x: unknown): x is string { return typeof x === 'string'; }
abstract class Shape { abstract area(): number; }
export default AppComponent;
try { throw new Error(`bad ${n}: ${u ?? 'none'}`); } catch (e) { console.log(e); }
const o = { a: true, b: false, c: null, 'd-e': 1, ...rest };
const t = "it's // not a comment" + 'a "b" /* c */';
while (i < 10 && j >= 2) { i++; }
switch (x) { case 'a': break; default: return; }
const big = 1000, hex = 0xff, flt = 2.5;
export const useStore = create<State>((set) => ({ n: 0 }));
/**
 * Keeps what was loaded, by key; it's "shared".
 * @example cache.get<User>("a")
 */
export class Cache<K extends string, V> implements Iterable<[K, V]> {
  readonly #entries = new Map<K, { value: V; at: number }>();
  private static readonly LIMIT = 1_000;
  declare private brand: symbol;

  constructor(
    private readonly load: (key: K, signal?: AbortSignal) => Promise<V>,
    protected options: Partial<Options> = {},
  ) {}

  async get<T extends V = V>(key: K, fallback?: T): Promise<T | undefined> {
    const found = this.#entries.get(key);
    if (found && Date.now() - found.at < (this.options.ttl ?? 60_000) / 2) {
      return found.value as T;
    }
    try {
      const value = await this.load(key);
      this.#entries.set(key, { value, at: Date.now() });
      return value as T;
    } catch (error: unknown) {
      if (!(error instanceof NotFoundError)) throw error;
      console.warn(`no "${key}" // not a comment, ${this.#entries.size > 0 ? `one of ${[...this.#entries.keys()].join(', ')}` : 'empty'}`);
      return fallback;
    }
  }

  *[Symbol.iterator](): Iterator<[K, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }
}

export type Route<P extends string> = P extends `${string}:${infer Name}/${infer Rest}` ? Name | Route<Rest> : never;
export type Handler = (request: Request, params: Record<string, string>) => Response | Promise<Response>;

interface Options {
  ttl?: number;
  readonly names: ReadonlyArray<string>;
  [extra: string]: unknown;
}

export function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && Array.isArray((value as Options).names);
}

const routes: Array<[RegExp, Handler]> = [
  [/^\/users\/(?<id>[^/]+)\/?$/, async (request, { id }) => Response.json(await users.get(id))],
  [/^\/health$/, () => new Response("it's fine")],
];

export const total = (list: readonly number[]): number => list.reduce((sum, n) => sum + n, 0) / list.length;
export const enum Level { Debug, Info = "info", Error = 1 << 2 }
const settings = { port: Number(process.env.PORT), hosts: ['a', "b"] } satisfies Settings;
function assertNever(x: never): never { throw new TypeError(`never: ${JSON.stringify(x)}`); }
let first = routes[0]!, second = <Handler>routes[1][1];
export { type Options as CacheOptions, routes };
// Reading the settings: from a file, then from the environment.
export async function readSettings(path: string, strict = false): Promise<Settings> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const settings: Settings = { ...defaults };
  for (const [index, line] of lines.entries()) {
    const at = line.indexOf("=");
    if (at < 0) {
      if (strict) throw new SyntaxError(`line ${index + 1} of ${path}: want "name = value"`);
      continue;
    }
    const name = line.slice(0, at).trim();
    const value = line.slice(at + 1).trim().replace(/^"(.*)"$/, "$1");
    if (!(name in settings)) {
      logger.warn("unknown setting", name, "in", path);
      continue;
    }
    settings[name] = value === "yes" || value === "true";
  }
  return Object.freeze(settings);
}

/* Draws a bar: it's "wide" enough for most terminals. */
export function drawBar(done: number, total: number, width = 40): string {
  const share = total > 0 ? Math.min(done / total, 1) : 1;
  const filled = Math.round(share * width);
  const percent = (share * 100).toFixed(1).padStart(5);
  return "[" + "#".repeat(filled) + "-".repeat(width - filled) + "] " + percent + " %";
}

class Queue {
  private waiting: Job[] = [];
  private running = 0;

  push(job: Job): void {
    this.waiting.push(job);
    this.next();
  }

  private next(): void {
    while (this.running < this.limit && this.waiting.length > 0) {
      const job = this.waiting.shift();
      if (job === undefined) break;
      this.running++;
      job.run().finally(() => {
        this.running--;
        this.next();
      });
    }
  }
}
/**
 * Splits a text into lines that are no longer than so many characters, where
 * there are blanks; a longer word gets a line of its own.
 */
export function wrap(text: string, width = 80): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : " " + word;
  }
  if (line !== "") lines.push(line);
  return lines;
}

export function describe(error: unknown): string {
  if (error instanceof Error) {
    return error.message || error.name; // never empty
  }
  return typeof error === "string" ? error : "unknown error";
}
const unclosed = "the end
