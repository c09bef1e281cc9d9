import { Refusal } from '../../kit/errors.ts';
import { remembering } from '../pages/memo.ts';
import type { ApiVersion, OpenRequest } from '../route.types.ts';
import { type MediaType, parseAccept, parseMediaType, qualityOf } from './media-type.ts';

/** Newest first. */
const VERSIONS: readonly ApiVersion[] = ['3.1', '3.0', '2.0'];
/** What is served where neither the request nor the route says otherwise. */
export const DEFAULT_VERSION: ApiVersion = '3.0';

/** What a request says about the form of its body and of its answer. */
export interface Negotiation {
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly hasBody: boolean;
}

/**
 * The version to serve: by the `version` of the Content-Type, also where there is no body, else
 * by that of the Accept header, else 3.0.
 *
 * Where several ranges of Accept carry a version, the one with the highest weight wins, at equal weights the first;
 * an unknown version is passed over as long as another one is known. Where the Content-Type has decided, versions in
 * Accept are not looked at. Without a body a Content-Type other than JSON says nothing about us and is ignored.
 *
 * @throws Refusal `unsupportedmediatype` where there is a body that is not JSON, or the Content-Type's version is unknown
 * @throws Refusal `notacceptable` where Accept excludes JSON, or names unknown versions only
 */
export function chooseVersion(negotiation: Negotiation): ApiVersion {
  return askedVersion(negotiation) ?? DEFAULT_VERSION;
}

/** The same, undefined where the request names no version: the route may know a better one than 3.0. */
export function askedVersion({ contentType, accept, hasBody }: Negotiation): ApiVersion | undefined {
  const sent = contentType === undefined ? NOT_JSON : readContentType(contentType);
  if (hasBody && !sent.isJson) throw unsupportedBody();
  if (sent.version === 'unknown') throw new Refusal('unsupportedmediatype', unknownVersion('Content-Type'));
  const wanted = accept === undefined ? ANYTHING : readAccept(accept);
  if (!wanted.isJson) throw new Refusal('notacceptable', 'The answer is application/json, which Accept excludes.');
  const version = sent.version ?? wanted.version;
  if (version === 'unknown') throw new Refusal('notacceptable', unknownVersion('Accept'));
  return version;
}

/** Whether a page is better shown as HTML than as JSON: a browser asks for HTML by name, a program for JSON or anything. */
export function prefersHtml(accept: string | undefined): boolean {
  return accept !== undefined && readAccept(accept).prefersHtml;
}

/** Whether a page's own script asks, which takes JSON and nothing else. */
export function prefersJson({ headers }: Pick<OpenRequest, 'headers'>): boolean {
  return headers['accept'] === 'application/json';
}

/** What a media type says: whether it is, or takes, JSON, and which version it names. */
interface Meaning {
  readonly isJson: boolean;
  readonly version: ApiVersion | 'unknown' | undefined;
}

interface AcceptMeaning extends Meaning {
  readonly prefersHtml: boolean;
}

const NOT_JSON: Meaning = { isJson: false, version: undefined };
const ANYTHING: AcceptMeaning = { isJson: true, version: undefined, prefersHtml: false };
const JSON_RANGES = new Set(['application/json', 'application/problem+json', 'application/*', '*/*']);

/** A charset is ignored: `application/json` has none (RFC 8259, section 11), it is always UTF-8. */
const readContentType = remembering((text): Meaning => {
  const type = parseMediaType(text);
  if (type?.name !== 'application/json') return NOT_JSON;
  return { isJson: true, version: versionOf(type) };
});

const readAccept = remembering((text): AcceptMeaning => {
  // An empty Accept says as much as none (RFC 9110, section 12.5.1).
  if (text.trim() === '') return ANYTHING;
  const ranges = parseAccept(text);
  const quality = jsonQuality(ranges);
  const html = qualityOf('text/html', ranges) ?? 0;
  return { isJson: quality > 0, version: wantedVersion(ranges), prefersHtml: html > quality };
});

/** Who takes problem details alone takes JSON too, unless they exclude it by name: answers and problems go together. */
function jsonQuality(ranges: readonly MediaType[]): number {
  return qualityOf('application/json', ranges) ?? qualityOf('application/problem+json', ranges) ?? 0;
}

function wantedVersion(ranges: readonly MediaType[]): Meaning['version'] {
  const versions = ranges
    .filter(({ name, quality }) => quality > 0 && JSON_RANGES.has(name))
    .sort((a, b) => b.quality - a.quality)
    .map(versionOf)
    .filter((version) => version !== undefined);
  return versions.find((version) => version !== 'unknown') ?? versions[0];
}

/** A version such as `3.1`, `3.x` for the newest 3, or a list of these such as `3.x/2.0`: the newest that we know. */
function versionOf({ parameters }: MediaType): Meaning['version'] {
  const text = parameters.get('version');
  if (text === undefined) return undefined;
  const named = text.split('/').map((version) => version.trim().toLowerCase());
  const known = VERSIONS.find((version) => named.includes(version) || named.includes(`${version.charAt(0)}.x`));
  return known ?? 'unknown';
}

function unsupportedBody(): Refusal {
  return new Refusal('unsupportedmediatype', 'A body must come with Content-Type: application/json.');
}

function unknownVersion(header: string): string {
  return `The version in ${header} is not known; the versions are ${VERSIONS.join(', ')}.`;
}
