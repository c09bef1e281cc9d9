import { escapeHtml } from './page.ts';

/** A piece of HTML that was put together by `html`: it needs no escaping any more. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in a template: texts are escaped; what is undefined or false leaves nothing. */
export type Part = string | number | Markup | undefined | false | readonly Part[];

/** HTML from a template. Whatever is put into it is escaped, unless it is HTML of `html` itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((whole, text, index) => whole + textOf(parts[index - 1]) + text));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeHtml(String(part));
}
