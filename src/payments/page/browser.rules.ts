import type { BrowserData } from '../../issuers/authentication/three-ds.types.ts';

/** What a request says of its browser beside its fields. */
export interface BrowserAsked {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  /** Undefined where all payers have one address. */
  readonly address: string | undefined;
  /** That the payer reads the page in. */
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
    acceptHeader: asked.accept ?? '*/*',
    userAgent: asked.userAgent ?? 'unknown',
    address: asked.address,
    language: asked.language,
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

/** What became of the method page, as the page says; without a script it was not visited. */
export function methodCompleted(fields: ReadonlyMap<string, string>, methodUrl: string | null): 'Y' | 'N' | 'U' {
  if (methodUrl === null) return 'U';
  return fields.get('method') === 'Y' ? 'Y' : 'N';
}
