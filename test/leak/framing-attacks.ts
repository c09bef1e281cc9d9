import { type Bait, spellings } from './bait.ts';
import { type Attack, attackBy, type Request, type Target } from './requests.ts';

/** What the HTTP parser itself refuses, or what is no operation at all. */
export function framingAttacks({ host, accessToken }: Target, bait: Bait): Attack[] {
  const lines = (...all: string[]) => Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1');
  const hostLine = `Host: ${host}`;
  const bearer = `Authorization: Bearer ${accessToken}`;
  const forms: Readonly<Record<string, (number: string) => Buffer>> = {
    'request line': (number) => lines(`GET /${number} ${number}`, hostLine),
    method: (number) => lines(`M${number} / HTTP/1.1`, hostLine),
    'known method': (number) => lines(`DELETE /online/${number} HTTP/1.1`, hostLine, bearer),
    'method of no use here': (number) =>
      lines(`DELETE /health/live?card=${number} HTTP/1.1`, hostLine, `X-A: ${number}`),
    version: (number) => lines(`GET / HTTP/${number}`, hostLine),
    'absolute target': (number) => lines(`GET http://${number}.example/ HTTP/1.1`, hostLine, bearer),
    'unknown address': (number) => lines(`GET /${number}?card=${number} HTTP/1.1`, hostLine, bearer),
    'unknown address of the API': (number) => lines(`GET /psp/${number} HTTP/1.1`, hostLine, bearer),
    'unknown problem': (number) => lines(`GET /errordetail/${number} HTTP/1.1`, hostLine),
    'header without a colon': (number) => lines('GET / HTTP/1.1', hostLine, number),
    'header with a line feed': (number) => lines('GET / HTTP/1.1', hostLine, `X-A: a\n${number}: b`),
    'name of a header': (number) => lines('GET / HTTP/1.1', hostLine, `${number}: a`),
    'headers that are too large': (number) =>
      lines('GET / HTTP/1.1', hostLine, ...Array(60).fill(`X-A: ${number.repeat(20)}`)),
    'two lengths': (number) => lines('POST / HTTP/1.1', hostLine, 'Content-Length: 1', `Content-Length: ${number}`),
    'bad chunk': (number) => lines('POST / HTTP/1.1', hostLine, 'Transfer-Encoding: chunked', '', number),
    'chunk extension and trailer': (number) =>
      lines(
        'POST /oauth/token HTTP/1.1',
        hostLine,
        'Transfer-Encoding: chunked',
        '',
        `1;a=${number}`,
        'a',
        '0',
        `X: ${number}`,
      ),
    'token in front of the number': (number) => lines('GET /psp/x HTTP/1.1', hostLine, `${bearer}${number}`),
    // What a request's line in the log has of its caller.
    trace: (number) =>
      lines('GET /psp/x HTTP/1.1', hostLine, bearer, `traceparent: 00-${number.padStart(32, '0')}-00f067aa0ba902b7-01`),
    'no HTTP at all': (number) => Buffer.from(`${number}\n`),
  };
  return Object.entries(forms).flatMap(([name, form], place) =>
    spellings(bait.number(name), place, true).map((spelling) => ({ name, bytes: () => form(spelling) })),
  );
}

/** Secrets in places where they do not belong; the token of the sandbox, when it is not the one that is sent along. */
export function misplacedSecrets(secrets: readonly string[], target: Target): Attack[] {
  const path = `/online/payer/payees/${target.params['payeeId']}/payers/anna`;
  return secrets.flatMap((secret) => {
    const request = (part: Partial<Request>) =>
      attackBy('a secret out of place', { method: 'GET', path: `${path}/tokens`, ...part }, target);
    return [
      request({ path: `${path}/tokens?access_token=${secret}` }),
      request({ path: `${path}/tokens?cursor=${secret}` }),
      request({ path: `/psp/paymentorders/paymentTokens/${secret}` }),
      request({ headers: { 'User-Agent': secret, Cookie: `t=${secret}`, Referer: secret, 'Session-Id': secret } }),
      request({ headers: { Authorization: `Basic ${secret}` } }),
      request({ headers: { Authorization: `Bearer ${secret}x` } }),
      request({ headers: { Hmac: `HmacSHA512 user:nonce:${secret}` } }),
      request({ method: 'PATCH', path: `${path}/archives`, body: `{"reason":"${secret}` }),
      request({ method: 'PATCH', path: `${path}/archives`, body: `{"updatedBy":"${secret}"}` }),
    ];
  });
}
