import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { challengePage, forwardPage, strangePage } from './bank-pages.ts';
import { complaintAbout, objectIn } from './message-checks.ts';
import { resultOf, type TestChallenge, type TestDirectory } from './test-directory.ts';

/** What the bank sends results with. */
interface BankOptions {
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string } | undefined;
  readonly giveUpMs: number;
}

/** A page for a browser. */
interface BankPage {
  readonly status: number;
  readonly html: string;
}

const STRANGE: BankPage = { status: 400, html: strangePage() };
/** Milliseconds that an answer to a result is waited for. */
const RESULT_MS = 5_000;

/** The bank whose cards the test directory server knows: its method page, and its challenge. */
export class TestBank {
  readonly #directory: TestDirectory;
  readonly #options: BankOptions;
  readonly #stopped = new AbortController();

  constructor(directory: TestDirectory, options: BankOptions) {
    this.#directory = directory;
    this.#options = options;
  }

  /** The page that a browser is shown. */
  async show(method: string, path: string, fields: URLSearchParams): Promise<BankPage> {
    if (method !== 'POST') return STRANGE;
    switch (path) {
      case '/acs/method':
        return lookAtBrowser(fields);
      case '/acs/method/silent':
        return { status: 200, html: '<!doctype html><title>…</title>' };
      case '/acs/challenge':
        return this.#challenge(fields);
      case '/acs/answer':
        return this.#answer(fields);
      default:
        return STRANGE;
    }
  }

  close(): void {
    this.#stopped.abort();
  }

  async #challenge(fields: URLSearchParams): Promise<BankPage> {
    const message = objectIn(decoded(fields.get('creq')));
    if (complaintAbout(message, ['CReq']) !== undefined) return STRANGE;
    const challenge = this.#directory.challenge(String(message?.['acsTransID']));
    if (challenge?.serverTransactionId !== message?.['threeDSServerTransID'] || challenge === undefined) return STRANGE;
    challenge.sessionData = fields.get('threeDSSessionData') ?? undefined;
    if (challenge.code !== '12') return { status: 200, html: challengePage(challenge) };
    const { giveUpMs } = this.#options;
    // This payer does not answer: the issuer gives up. The result goes before the browser does.
    void pause(giveUpMs, undefined, { signal: this.#stopped.signal, ref: false })
      .then(() => this.#tell(challenge, resultOf(challenge, 'N', '04')))
      .catch(() => undefined);
    return final(challenge, 'N', giveUpMs + 200);
  }

  async #answer(fields: URLSearchParams): Promise<BankPage> {
    const challenge = this.#directory.challenge(fields.get('acsTransID') ?? '');
    const verdict = fields.get('verdict') ?? '';
    if (challenge === undefined || challenge.isAnswered || !['Y', 'N', 'C'].includes(verdict)) return STRANGE;
    challenge.isAnswered = true;
    const status = verdict === 'Y' ? 'Y' : 'N';
    const result = resultOf(challenge, status, verdict === 'C' ? '01' : undefined);
    if (challenge.code !== '11') await this.#tell(challenge, result);
    if (challenge.code === '17') {
      await this.#tell(challenge, result);
      await this.#tell(challenge, resultOf(challenge, status === 'Y' ? 'N' : 'Y'));
    }
    return final(challenge, status);
  }

  /** Posts a result, and notes what came back. */
  async #tell(challenge: TestChallenge, result: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await this.#post(challenge.resultsUrl, JSON.stringify(result));
    const members = objectIn(answer) ?? {};
    this.#directory.notes.push({
      type: String(members['messageType']),
      scheme: 'results',
      refused: members['messageType'] === 'Erro' ? String(members['errorCode']) : undefined,
      serverTransactionId: challenge.serverTransactionId,
      members,
    });
  }

  #post(url: string, body: string): Promise<string> {
    const { tls } = this.#options;
    const isSecure = url.startsWith('https:');
    return new Promise((resolve) => {
      const request = (isSecure ? requestHttps : requestHttp)(
        url,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) },
          signal: AbortSignal.timeout(RESULT_MS),
          ...(isSecure && tls !== undefined ? { cert: tls.cert, key: tls.key, ca: tls.clientCa } : {}),
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve(text));
          response.on('error', () => resolve(''));
        },
      );
      request.on('error', () => resolve(''));
      request.end(body);
    });
  }
}

/** Leads the browser back: whom it is about, and nothing else. */
function lookAtBrowser(fields: URLSearchParams): BankPage {
  const data = objectIn(decoded(fields.get('threeDSMethodData')));
  const id = data?.['threeDSServerTransID'];
  const action = data?.['threeDSMethodNotificationURL'];
  if (typeof id !== 'string' || typeof action !== 'string' || !/^https?:\/\//.test(action)) return STRANGE;
  const threeDSMethodData = encoded({ threeDSServerTransID: id });
  return { status: 200, html: forwardPage('en', { action, fields: { threeDSMethodData } }) };
}

/** The last page of a challenge: it carries the CRes to who asked. */
function final(challenge: TestChallenge, transStatus: 'Y' | 'N', afterMs = 0): BankPage {
  const cres = encoded({
    messageType: 'CRes',
    messageVersion: '2.2.0',
    threeDSServerTransID: challenge.serverTransactionId,
    acsTransID: challenge.acsTransactionId,
    challengeCompletionInd: 'Y',
    transStatus,
  });
  const { sessionData } = challenge;
  const fields = { cres, ...(sessionData === undefined ? {} : { threeDSSessionData: sessionData }) };
  return { status: 200, html: forwardPage(challenge.language, { action: challenge.notificationUrl, fields, afterMs }) };
}

function encoded(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url');
}

function decoded(text: string | null): string {
  return Buffer.from(text ?? '', 'base64url').toString('utf8');
}
