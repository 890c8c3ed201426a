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
const unclosed = "the end
