import {
  BadJson,
  listOf,
  maybe,
  objectOf,
  oneOf,
  type ReadJson,
  refuseTwice,
  wholeNumber,
} from '../../../kit/read-json.ts';
import { CARD_BRANDS } from '../../../vault/brands.rules.ts';
import type { Agreement, DirectoryServer, ThreeDSServer } from '../acquirers.types.ts';
import {
  addressOf,
  anything,
  digits,
  type FileAt,
  hostOf,
  mutualTls,
  text,
  tlsOrNone,
} from './acquirers-file-parts.rules.ts';

/** Milliseconds that a directory server is waited for where the file says nothing else; the payer waits with it. */
const ANSWER_MS = 12_000;

const merchant = objectOf({
  acquirerBin: digits(11),
  merchantId: text(35, 'a text of up to 35 characters'),
  requestorId: text(35, 'a text of up to 35 characters'),
  requestorName: text(40, 'a text of up to 40 characters'),
});

/** How a payee is known to directory servers, by brand. */
export const threeDSMerchants: ReadJson<Agreement['threeDS']> = objectOf(
  Object.fromEntries(CARD_BRANDS.map((brand) => [brand, maybe(merchant)])),
) as ReadJson<Agreement['threeDS']>;

function directoryServer(fileAt: FileAt): ReadJson<DirectoryServer> {
  const read = objectOf({
    scheme: oneOf(CARD_BRANDS),
    url: addressOf(),
    tls: anything,
    answerMs: maybe(wholeNumber(1_000, 30_000)),
  });
  return (value, path) => {
    const given = read(value, path);
    return {
      answerMs: ANSWER_MS,
      ...given,
      tls: tlsOrNone(mutualTls(fileAt), hostOf(given.url))(given.tls, `${path}.tls`),
    };
  };
}

/** We as a 3DS Server. */
export function threeDSServer(fileAt: FileAt): ReadJson<ThreeDSServer> {
  const read = objectOf({
    serverReferenceNumber: text(32, 'a text of up to 32 characters'),
    operatorId: text(32, 'a text of up to 32 characters'),
    resultsUrl: addressOf(),
    resultsPort: wholeNumber(0, 65_535),
    tls: anything,
    directoryServers: listOf(directoryServer(fileAt), CARD_BRANDS.length),
  });
  return (value, path) => {
    const given = read(value, path);
    refuseTwice(
      given.directoryServers.map(({ scheme }, index) => [`${path}.directoryServers[${index}].scheme`, scheme]),
    );
    for (const [index, { url, tls }] of given.directoryServers.entries()) {
      refuseMismatch(url, tls, `${path}.directoryServers[${index}].url`);
    }
    const tls = tlsOrNone(mutualTls(fileAt), hostOf(given.resultsUrl))(given.tls, `${path}.tls`);
    refuseMismatch(given.resultsUrl, tls, `${path}.resultsUrl`);
    return { ...given, tls };
  };
}

/** An address that says https is spoken to by TLS, and no other is. */
function refuseMismatch(url: string, tls: unknown, path: string): void {
  const isSecure = url.startsWith('https:');
  if (isSecure === (tls === 'none')) throw new BadJson(path, isSecure ? 'is https, and tls is none' : 'is not https');
}
