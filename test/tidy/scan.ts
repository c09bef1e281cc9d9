/**
 * A TypeScript source seen as text: TypeScript 7 has no compiler API, so the rules of the house look at the text itself.
 * Comments and the insides of strings are blanked out first, at their places, so that a rule about code never finds a
 * word in a sentence.
 */
export interface Scanned {
  /** As long as the source; blanks where comments, strings and regular expressions are. Quotes and line ends stay. */
  readonly code: string;
  /** The strings, without quotes and in their order. A template's pieces between `${}` count one by one. */
  readonly strings: readonly Literal[];
  /** The regular expressions, with their slashes and flags. */
  readonly regexes: readonly Literal[];
}

export interface Literal {
  readonly text: string;
  /** Offset of the first character after the quote. */
  readonly at: number;
}

/** Characters, other than a word, after which a slash begins a regular expression rather than divides. */
const BEFORE_REGEX = '(,=:[!&|?{};+-*%<>~^';
const WORDS_BEFORE_REGEX = /\b(?:return|typeof|case|in|of|new|delete|void|throw|else|do|await|yield)$/;

export function scan(text: string): Scanned {
  const code: string[] = new Array(text.length);
  const strings: Literal[] = [];
  const regexes: Literal[] = [];
  /** For each template that is open: how many braces are open inside its `${`. */
  const templates: number[] = [];
  let at = 0;

  const keep = (to: number) => {
    for (; at < to; at++) code[at] = text.charAt(at);
  };
  const blank = (to: number) => {
    for (; at < to && at < text.length; at++) code[at] = text.charAt(at) === '\n' ? '\n' : ' ';
  };
  const literal = (end: number) => {
    strings.push({ text: text.slice(at, end), at });
    blank(end);
  };
  const template = () => {
    const end = endOfTemplatePiece(text, at);
    literal(end);
    if (text.startsWith('${', at)) {
      keep(at + 2);
      templates.push(0);
    } else keep(at + 1);
  };

  if (text.startsWith('#!')) blank(orEnd(text, text.indexOf('\n')));
  while (at < text.length) {
    const character = text.charAt(at);
    const two = text.slice(at, at + 2);
    const open = templates.at(-1);
    if (two === '//') blank(orEnd(text, text.indexOf('\n', at)));
    else if (two === '/*') blank(orEnd(text, text.indexOf('*/', at)) + 2);
    else if (character === "'" || character === '"') {
      keep(at + 1);
      literal(endOfString(text, at, character));
      keep(at + 1);
    } else if (character === '`') {
      keep(at + 1);
      template();
    } else if (open !== undefined && character === '}' && open === 0) {
      templates.pop();
      keep(at + 1);
      template();
    } else if (character === '/' && !closesTag(text, at) && startsRegex(code, at)) {
      const end = endOfRegex(text, at);
      const [flags = ''] = /^[a-z]*/.exec(text.slice(end, end + 10)) ?? [];
      regexes.push({ text: text.slice(at, end) + flags, at });
      blank(end);
    } else {
      if (open !== undefined && character === '{') templates[templates.length - 1] = open + 1;
      if (open !== undefined && character === '}') templates[templates.length - 1] = open - 1;
      keep(at + 1);
    }
  }
  return { code: code.join(''), strings, regexes };
}

/** The line that an offset lies in, from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function orEnd(text: string, at: number): number {
  return at === -1 ? text.length : at;
}

function endOfString(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== quote && text.charAt(at) !== '\n')
    at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

function endOfTemplatePiece(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '`' && !text.startsWith('${', at))
    at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** In JSX a slash stands in `</div>` and `<br />`. Nobody begins a regular expression like that. */
function closesTag(text: string, at: number): boolean {
  return text.charAt(at - 1) === '<' || text.charAt(at + 1) === '>';
}

function startsRegex(code: readonly string[], at: number): boolean {
  const before = code
    .slice(Math.max(0, at - 200), at)
    .join('')
    .trimEnd();
  const last = before.at(-1);
  return last === undefined || BEFORE_REGEX.includes(last) || WORDS_BEFORE_REGEX.test(before);
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '\n') return at;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return at + 1;
  }
  return text.length;
}
