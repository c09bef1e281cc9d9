import { parseAddress } from '../../kit/addresses/address.ts';
import { type Finding, ok, problem } from '../../kit/findings.ts';
import { commonHeaders } from './page-headers.rules.ts';

/** A payment page as it was answered. */
export interface SeenPage {
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
}

/** A file that a page has its browser load. */
export interface NamedFile {
  readonly url: string;
  /** As the page tells the browser what to find in it. */
  readonly integrity: string;
}

/** A tag of a page, with its attributes. */
interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Looks whether a payment page is as this version sends it, as a browser would take it: headers, where scripts come from, where
 * forms go (PCI DSS 4.0.1, 11.6.1).
 *
 * @returns what was found, and the files that the page names, to be looked at as well
 */
export function checkPage(page: SeenPage): {
  readonly findings: readonly Finding[];
  readonly files: readonly NamedFile[];
} {
  const tags = tagsOf(page.text);
  if (tags === undefined) {
    return { findings: [...checkHeaders(page), problem('The page has markup that no page of ours has.')], files: [] };
  }
  return {
    findings: [...checkHeaders(page), ...checkPolicy(page, tags), ...checkTags(tags), ...checkForms(page, tags)],
    files: filesOf(tags),
  };
}

/** The headers that are the same on each page, and that TLS is kept. */
function checkHeaders({ url, headers }: SeenPage): readonly Finding[] {
  const isFramed = url.pathname.endsWith('/frame');
  const expected = Object.entries(commonHeaders(isFramed));
  const secure: [string, string][] = url.protocol === 'https:' ? [['strict-transport-security', 'max-age=']] : [];
  const wrong = [
    ...expected.filter(([name, value]) => headers.get(name) !== value),
    ...secure.filter(([name, start]) => headers.get(name)?.startsWith(start) !== true),
  ].map(([name]) => name);
  if (wrong.length === 0) return [ok('The headers are those of this version.')];
  return [problem(`Headers are missing or other than they were sent: ${wrong.join(', ')}.`)];
}

/** What each directive may say; a nonce, a logo, banks and pages around it differ from payment to payment. */
const POLICY: Readonly<Record<string, RegExp>> = {
  'default-src': /^'none'$/,
  'script-src': /^'nonce-[A-Za-z0-9]{43}'$/,
  'style-src': /^'self'$/,
  'img-src': /^'self'( https:\/\/[^ ]+)?$/,
  'connect-src': /^'self'$/,
  'base-uri': /^'none'$/,
  'form-action': /^'self'$/,
  'frame-src': /^'self'( https:| http:\/\/127\.0\.0\.1:\*)+$/,
  'frame-ancestors': /^('none'|https?:\/\/[^ ]+( https?:\/\/[^ ]+)*)$/,
  'require-trusted-types-for': /^'script'$/,
  'trusted-types': /^'none'$/,
  'report-uri': /^\/checkout\/reports$/,
  'report-to': /^page$/,
};

/** Directives that are not on every page. */
const SOMETIMES = ['frame-src'];

function checkPolicy({ headers }: SeenPage, tags: readonly Tag[]): readonly Finding[] {
  const policy = headers.get('content-security-policy');
  if (policy === null)
    return [problem('The page has no Content-Security-Policy: its browser runs what is put into it.')];
  // Two headers reach us as one, parted by a comma: none of ours has one.
  const said = new Map(policy.split('; ').map((text) => [text.split(' ', 1)[0] ?? '', text.replace(/^\S+ /, '')]));
  const wrong = [
    ...[...said].filter(([name, value]) => POLICY[name]?.test(value) !== true).map(([name]) => name),
    ...Object.keys(POLICY).filter((name) => !said.has(name) && !SOMETIMES.includes(name)),
  ];
  const nonces = tags.filter(({ name }) => name === 'script').map(({ attributes }) => attributes.get('nonce'));
  if (nonces.some((nonce) => said.get('script-src') !== `'nonce-${nonce}'`)) wrong.push('script-src');
  if (wrong.length === 0) return [ok('The Content-Security-Policy lets nothing run but our script.')];
  return [problem(`The Content-Security-Policy is not ours: ${[...new Set(wrong)].join(', ').slice(0, 200)}.`)];
}

const OURS = new Set(
  (
    'html head meta title link script noscript body aside div header main footer nav section article p span strong em small b i ' +
    'ul ol li dl dt dd h1 h2 h3 form fieldset legend label input select option button a img svg path circle rect g use symbol ' +
    'defs text code details summary table caption thead tbody tr th td time br hr output iframe polygon line ellipse lineargradient stop'
  ).split(' '),
);
/** Attributes by which markup runs, styles itself or sends a form elsewhere. */
const FOREIGN_ATTRIBUTE = /^(on.*|style|srcdoc|formaction|ping|background)$/;

/** No tag and no attribute that runs or loads something, but the one script and the one style sheet. */
function checkTags(tags: readonly Tag[]): readonly Finding[] {
  const strange = tags.filter(({ name }) => !OURS.has(name)).map(({ name }) => `<${name.slice(0, 20)}>`);
  const attributes = tags
    .flatMap(({ attributes: own }) => [...own.keys()])
    .filter((name) => FOREIGN_ATTRIBUTE.test(name));
  const scripts = tags.filter(({ name }) => name === 'script');
  const loose = scripts.filter((tag) => !tag.attributes.has('src') || !tag.attributes.has('integrity'));
  const isOurs = scripts.length === 1 && loose.length === 0;
  const found = [
    ...(isOurs ? [] : [`${scripts.length} scripts, ${loose.length} of them unpinned`]),
    ...new Set([...strange, ...attributes.map((name) => `${name.slice(0, 20)}=`)]),
  ];
  if (found.length === 0) return [ok('The page has one script, and no markup that runs or loads anything else.')];
  return [problem(`The page has what no page of ours has: ${found.slice(0, 10).join(', ')}.`)];
}

/** Where card details go: to the page's own address, and nowhere else. */
function checkForms({ url }: SeenPage, tags: readonly Tag[]): readonly Finding[] {
  const forms = tags.filter(({ name }) => name === 'form');
  const targets = forms.map(({ attributes }) => parseAddress(attributes.get('action') ?? '', url));
  const strange = targets.filter((target) => target?.origin !== url.origin || !isBelow(target, url));
  if (forms.length === 0) {
    return [
      problem('The page has no form: give the link of a payment that can be paid, or look at what is in its place.'),
    ];
  }
  if (strange.length === 0) return [ok('Each form goes to the page itself.')];
  return [
    problem(
      `Forms go elsewhere: ${strange
        .map((target) => target?.origin ?? 'to no address')
        .join(', ')
        .slice(0, 200)}.`,
    ),
  ];
}

/** `/pay/payee/secret` with what comes after it; the choice of a language is a page of its own. */
function isBelow({ pathname }: URL, page: URL): boolean {
  const own = page.pathname.split('/').slice(0, 4).join('/');
  return pathname === own || pathname.startsWith(`${own}/`);
}

function filesOf(tags: readonly Tag[]): readonly NamedFile[] {
  return tags.flatMap(({ name, attributes }) => {
    const url =
      name === 'script'
        ? attributes.get('src')
        : attributes.get('rel') === 'stylesheet'
          ? attributes.get('href')
          : undefined;
    return url === undefined ? [] : [{ url, integrity: attributes.get('integrity') ?? '' }];
  });
}

/**
 * The tags of a page of ours; undefined where something in it is written as no page of ours is: every `<` begins a tag, and every
 * attribute that has a value has it in quotes, without `<`, `>` and quotes in it. So there is nothing that a browser reads otherwise.
 */
function tagsOf(text: string): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  for (const part of text.split('<').slice(1)) {
    const [inside = '', after, ...more] = part.split('>');
    if (after === undefined || more.length > 0) return undefined;
    if (inside === '!doctype html' || /^\/[a-z][a-z0-9]*$/.test(inside)) continue;
    const tag = tagOf(inside);
    if (tag === undefined) return undefined;
    tags.push(tag);
  }
  return tags;
}

/** One tag, as in `a href="/" hidden`: what stands in quotes is every second piece. */
function tagOf(inside: string): Tag | undefined {
  const pieces = inside.split('"');
  const attributes = new Map<string, string>();
  let name: string | undefined;
  for (let at = 0; at < pieces.length; at += 2) {
    const outside = pieces[at] ?? '';
    const value = pieces[at + 1];
    const words = outside.split(/\s/).filter((word) => word !== '' && word !== '/');
    const isApart = at === 0 || outside === '' || /^[\s/]/.test(outside);
    const isWhole = words.every((word, place) => isWord(word, value !== undefined && place === words.length - 1));
    if (!isApart || !isWhole || (value !== undefined && words.length === 0)) return undefined;
    for (const word of words) {
      if (name === undefined) name = word.toLowerCase();
      else attributes.set(word.replace('=', '').toLowerCase(), word.endsWith('=') ? (value ?? '') : '');
    }
  }
  return name === undefined ? undefined : { name, attributes };
}

/** The name of a tag or an attribute; of one that has a value with `=`. */
function isWord(word: string, hasValue: boolean): boolean {
  return (hasValue ? /^[a-zA-Z][a-zA-Z0-9:-]*=$/ : /^[a-zA-Z][a-zA-Z0-9:-]*$/).test(word);
}
