import type { BrowserData } from '../../issuers/authentication/three-ds.types.ts';

/** What a request says of its browser beside its fields. */
export interface BrowserAsked {
  readonly accept: string | undefined;
  readonly acceptLanguage: string | undefined;
  readonly userAgent: string | undefined;
  /** Undefined where all payers have one address. */
  readonly address: string | undefined;
  /** That the payer reads the page in: of a browser that says none. */
  readonly language: string;
}

/** Largest numbers that a browser may say, all of five digits at most. */
const MOST = { depth: 48, height: 99_999, width: 99_999, tz: 840 } as const;

/** What a browser says of itself; a script's word counts only where all of it is there. */
export function browserOf(fields: ReadonlyMap<string, string>, asked: BrowserAsked): BrowserData {
  const number = (name: keyof typeof MOST) => {
    const text = fields.get(name) ?? '';
    const value = /^-?\d{1,5}$/.test(text) ? Number(text) : undefined;
    return value === undefined || Math.abs(value) > MOST[name] ? undefined : value;
  };
  const [depth, height, width, tz] = [number('depth'), number('height'), number('width'), number('tz')];
  const isScripted = depth !== undefined && height !== undefined && width !== undefined && tz !== undefined;
  return {
    acceptHeader: headerIn(fields.get('accept')) ?? headerIn(asked.accept) ?? '*/*',
    userAgent: asked.userAgent ?? 'unknown',
    address: asked.address,
    language: tagIn(fields.get('tongue')) ?? tagIn(asked.acceptLanguage) ?? asked.language,
    scripted: isScripted
      ? {
          isJavaEnabled: fields.get('java') === 'true',
          colorDepth: Math.abs(depth),
          screenHeight: Math.abs(height),
          screenWidth: Math.abs(width),
          timeZone: tz,
        }
      : undefined,
  };
}

/** The longest `browserAcceptHeader` and `browserLanguage` (EMV 3-D Secure 2.2.0, table A.1). */
const HEADER_CHARACTERS = 2048;
const TAG_CHARACTERS = 8;

/** A header as a browser writes one. */
function headerIn(text: string | undefined): string | undefined {
  if (text === undefined || text.length > HEADER_CHARACTERS) return undefined;
  return /^[\x21-\x7e][\x20-\x7e]*$/.test(text) ? text : undefined;
}

/** The first language that is named (BCP 47), as many subtags of it as there is room for. */
function tagIn(text: string | undefined): string | undefined {
  const [first = ''] = (text ?? '').slice(0, HEADER_CHARACTERS).split(/[,;]/, 1);
  const [language = '', ...others] = first.trim().split('-');
  if (!/^[A-Za-z]{2,8}$/.test(language)) return undefined;
  let tag = language;
  for (const subtag of others) {
    if (!/^[A-Za-z0-9]+$/.test(subtag) || tag.length + 1 + subtag.length > TAG_CHARACTERS) break;
    tag += `-${subtag}`;
  }
  return tag;
}

/** What became of the method page, as the page says; without a script it was not visited. */
export function methodCompleted(fields: ReadonlyMap<string, string>, methodUrl: string | null): 'Y' | 'N' | 'U' {
  if (methodUrl === null) return 'U';
  return fields.get('method') === 'Y' ? 'Y' : 'N';
}
