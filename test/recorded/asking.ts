import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { TestDatabase } from '../support/database/database.ts';
import { signatureOf, type TestService } from '../support/service.ts';
import type { RecordedAnswer } from './answers.ts';
import type { AskedBy, Question } from './questions.ts';
import { keptFile } from './rows.ts';

/** Named by each request, so that what repeats it is the same. */
const SESSION_ID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
/** Questions under way at a time. */
const LANES = 6;
/** Pages of a list that are asked for at most. */
const MOST_PAGES = 60;

type Kontor = Pick<TestService, 'accessToken' | 'hmac'>;

/** Asks all, and follows lists to their ends. @returns the answers by what they are about, in the order of the questions */
export async function askAll(
  { asAdmin }: Pick<TestDatabase, 'asAdmin'>,
  kontor: Kontor,
  { port }: AddressInfo,
  questions: readonly Question[],
): Promise<Map<string, readonly RecordedAnswer[]>> {
  const base = `http://127.0.0.1:${port}`;
  const answers = new Map<Question, readonly RecordedAnswer[]>();
  const askSome = async (some: readonly Question[], lanes: number, behindEach: () => Promise<unknown>) => {
    const waiting = [...some];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        answers.set(next, await walk(kontor, base, next));
        await behindEach();
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  };
  // Who looks at what others did is written down there too.
  const forget = () =>
    asAdmin(`set session_replication_role = replica; delete from audit where session_id = '${SESSION_ID}'`);
  const isOfTrail = ({ about }: Question) => about === 'activity';
  const isDownload = ({ path }: Question) => /\.csv(\?|$)/.test(path);
  const others = questions.filter((one) => !isOfTrail(one));
  await askSome(questions.filter(isOfTrail), 1, forget);
  await askSome(
    others.filter((one) => !isDownload(one)),
    LANES,
    async () => undefined,
  );
  // Of these a payee has two at a time.
  await askSome(others.filter(isDownload), 1, async () => undefined);
  const byAbout = new Map<string, readonly RecordedAnswer[]>();
  for (const question of questions) {
    byAbout.set(question.about, [...(byAbout.get(question.about) ?? []), ...(answers.get(question) ?? [])]);
  }
  return byAbout;
}

async function walk(kontor: Kontor, base: string, question: Question): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  let path: string | undefined = question.path;
  while (path !== undefined && answers.length < MOST_PAGES) {
    const answer: RecordedAnswer = await ask(kontor, base, { ...question, path });
    answers.push(answer);
    path = question.walks && nextOf(question.path, answer);
  }
  return answers;
}

/** The address of the next page; undefined where this one is the last. */
function nextOf(path: string, { body }: RecordedAnswer): string | undefined {
  const { next = hrefOf(body, 'next') } = (body ?? {}) as { readonly next?: string | null };
  if (typeof next !== 'string' || next === '') return undefined;
  if (next.startsWith('/')) return next;
  const [address, query = ''] = path.split('?');
  const asked = new URLSearchParams(query);
  asked.set('cursor', next);
  return `${address}?${asked}`;
}

/** Where an answer of the API leads, by the name of the operation; without the address of the service. */
function hrefOf(body: unknown, wanted: string): string | undefined {
  const { operations } = (body ?? {}) as { readonly operations?: readonly { rel: string; href: string }[] };
  const href = operations?.find?.(({ rel }) => rel === wanted)?.href;
  return href?.replace(/^https?:\/\/[^/]+/, '');
}

async function ask(kontor: Kontor, base: string, { path, as, operationId }: Question): Promise<RecordedAnswer> {
  const url = new URL(path, base);
  const response = await fetch(url, { headers: headersOf(kontor, as, url.pathname), redirect: 'manual' });
  const text = await response.text();
  return {
    ask: path,
    as,
    operationId,
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: jsonOf(text) ?? text,
  };
}

/** Undefined where a text is no JSON that is written again byte for byte. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function headersOf({ accessToken, hmac }: Kontor, as: AskedBy, path: string): Record<string, string> {
  const common = { 'session-id': SESSION_ID };
  if (as === 'payer') return common;
  if (as === 'administrator' || as === 'operator') return { ...common, cookie: sessions()[as] ?? '' };
  return {
    ...common,
    authorization: `Bearer ${accessToken}`,
    ...(as !== 'program' && {
      accept: `application/json;version=${as}`,
      'content-type': `application/json;version=${as}`,
    }),
    ...(path.startsWith('/api/payments') && { hmac: signatureOf(hmac, { method: 'GET', path }) }),
  };
}

let known: Readonly<Record<string, string>> | undefined;

/** The cookies of people who were signed in when the rows were recorded. */
function sessions(): Readonly<Record<string, string>> {
  known ??= JSON.parse(readFileSync(keptFile('sessions.json'), 'utf8')) as Readonly<Record<string, string>>;
  return known;
}
