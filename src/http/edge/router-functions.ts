/*
 * The router of Fastify, find-my-way, writes three kinds of small functions as text, and makes them with `new Function`. The
 * service runs with `--disallow-code-generation-from-strings`, where that fails. So `Function` gets a stand-in, which knows the
 * three texts to the last character, and gives closures that do the same. Any other text goes to the real `Function`: it throws.
 */

/** What stands in for a function of a text; undefined where the text is another one. */
type StandIn = (texts: readonly string[]) => object | undefined;

let stands = false;

/** Lets the router make its functions where no code may be made from texts. To be called before the first route is added. */
export function standInForFunction(): void {
  if (stands) return;
  stands = true;
  globalThis.Function = new Proxy(globalThis.Function, {
    construct(real, texts: string[], target) {
      for (const standIn of [prefixMatch, paramsMaker, handlerOfConstraints]) {
        const made = standIn(texts);
        if (made !== undefined) return made;
      }
      return Reflect.construct(real, texts, target);
    },
  });
}

/** Whether a path goes on with all characters of a prefix but the first, which is known by then. */
export const prefixMatch: StandIn = ([path, at, body = '']) => {
  if (path !== 'path' || at !== 'i') return undefined;
  const rest = String.fromCharCode(...[...body.matchAll(/=== (\d{1,5})/g)].map(([, code]) => Number(code)));
  const terms = Array.from(rest, (_, index) => `path.charCodeAt(i + ${index + 1}) === ${rest.charCodeAt(index)}`);
  if (rest === '' || body !== `'use strict'\nreturn ${terms.join(' && ')}`) return undefined;
  return (text: string, start: number) => text.startsWith(rest, start + 1);
};

/** The values of parameters, as the router hands them over: four, and a list of further ones. */
type Values = readonly [string, string, string, string, readonly string[] | null];
type Params = Record<string, string | undefined>;

/** Makes the object with the parameters of an address. */
export const paramsMaker: StandIn = ([argument, body = '']) => {
  if (argument !== 'NullObject') return undefined;
  const names = [...body.matchAll(/^params\[(".*")\] = /gm)].map(([, name = '']) => JSON.parse(name) as string);
  const lines = names.map(
    (name, index) => `params[${JSON.stringify(name)}] = ${index < 4 ? `param${index}` : `extraParams[${index - 4}]`}\n`,
  );
  const head = 'const fn = function _createParamsObject (param0, param1, param2, param3, extraParams) {';
  const text = `'use strict'\n${head}\nconst params = new NullObject()\n${lines.join('')}return params\n}\nreturn fn`;
  if (body !== text) return undefined;
  return (NullObject: new () => Params) =>
    (...[first, second, third, fourth, further]: Values) => {
      const params = new NullObject();
      const values = [first, second, third, fourth, ...(further ?? [])];
      for (const [index, name] of names.entries()) params[name] = values[index];
      return params;
    };
};

const WITHOUT_CONSTRAINTS = `'use strict'

    let candidates = 1
    let mask, matches, value
    
if (derivedConstraints.version !== undefined) return null
return this.handlers[31 - Math.clz32(candidates)]`;

/** Finds the handler of a route, which has no constraints by version or host: ours have none. */
export const handlerOfConstraints: StandIn = ([argument, body]) => {
  if (argument !== 'derivedConstraints' || body !== WITHOUT_CONSTRAINTS) return undefined;
  return function (this: { readonly handlers: readonly unknown[] }, derived: { readonly version?: unknown }) {
    return derived.version === undefined ? this.handlers[0] : null;
  };
};
