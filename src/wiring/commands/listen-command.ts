import { setTimeout as pause } from 'node:timers/promises';
import { readAccessToken, readConfig } from '../../config.ts';
import { signedHeaders } from '../../events/deliveries/signature.rules.ts';
import type { ShownEvent } from '../../events/events.types.ts';
import { parseAddress } from '../../kit/addresses/address.ts';
import { type CommandRuntime, command, type Given, needed, optional } from '../../kit/command.ts';
import { DELIVERY_TIMEOUT_MS } from '../../kit/limits.ts';
import { newWebhookSecret, Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { readSandbox } from './read-sandbox.ts';

/** Milliseconds between two looks at the feed of `kontor listen`, and after a failed one. */
const LISTEN_INTERVAL_MS = 500;
const LISTEN_RETRY_MS = 2_000;

/** Where events come from and where they go. */
interface Route {
  readonly baseUrl: string;
  readonly accessToken: Secret;
  readonly forwardTo: string;
  readonly secret: Secret;
}

const TAKES = {
  forwardTo: needed('<url>', 'as in http://localhost:3000/hooks', (text) => {
    if (parseAddress(text) !== undefined && /^https?:/.test(text)) return text;
    throw new Trouble('It is an address that begins with http:// or https://.');
  }),
  after: optional(
    '<position>',
    'begin after this event; 0 is the beginning (default: what happens from now on)',
    (text) => {
      if (/^(0|[1-9][0-9]{0,14})$/.test(text)) return text;
      throw new Trouble('It is the position of an event: a whole number.');
    },
  ),
};

/** `listen`: it talks to a running service, and needs no database. */
export const listening = command({
  name: 'listen',
  about: 'follow the feed of events, and post each to an address, signed, until Ctrl-C',
  takes: TAKES,
  json: 'print one JSON object a line',
  run: listen,
});

async function listen({ print }: Pick<CommandRuntime<never>, 'print'>, options: Given<typeof TAKES>): Promise<void> {
  const { route, whose } = await findRoute(options.forwardTo);
  const tell = (line: string) => print(options.json ? JSON.stringify({ note: line }) : line);
  tell(`Events of ${route.baseUrl} go to ${route.forwardTo}, signed with ${whose}. Ctrl-C ends it.`);
  let after = options.after ?? 'latest';
  let isAway = false;
  while (true) {
    const page = await readPage(route, after);
    if (page === undefined) {
      if (!isAway) tell('The service does not answer; going on where it was when it does.');
      isAway = true;
      await pause(LISTEN_RETRY_MS);
      continue;
    }
    isAway = false;
    for (const event of page.events) print(lineOf(event, await forward(route, event), options));
    after = page.next;
    if (!page.hasMore) await pause(LISTEN_INTERVAL_MS);
  }
}

/** Whose events, with which credentials: those of the sandbox, or an access token from the environment. */
async function findRoute(forwardTo: string): Promise<{ route: Route; whose: string }> {
  const config = readConfig();
  const sandbox = await readSandbox(config);
  const own = (name: string) => (typeof sandbox?.[name] === 'string' ? sandbox[name] : undefined);
  const accessToken = readAccessToken() ?? own('accessToken');
  if (accessToken === undefined) {
    throw new Trouble(
      'There is no sandbox.json with an access token in the data directory. Start the sandbox once, or set ' +
        'KONTOR_ACCESS_TOKEN to a token with the scope events, and KONTOR_PUBLIC_URL to the address of the service.',
    );
  }
  const baseUrl = config.publicUrl ?? own('baseUrl') ?? `http://${config.host}:${config.port}`;
  const known = own('callbackSecret');
  const secret = known === undefined ? newWebhookSecret() : new Secret(known);
  const whose = known === undefined ? `${secret.reveal()}, made for this run` : 'callbackSecret of sandbox.json';
  return { route: { baseUrl, accessToken: new Secret(accessToken), forwardTo, secret }, whose };
}

interface Page {
  readonly events: readonly ShownEvent[];
  readonly hasMore: boolean;
  readonly next: string;
}

/** The next piece of the feed, or undefined where the service does not answer. */
async function readPage({ baseUrl, accessToken }: Route, after: string): Promise<Page | undefined> {
  const answer = await fetch(`${baseUrl}/events?after=${after}`, {
    headers: { authorization: `Bearer ${accessToken.reveal()}` },
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500 || answer.status === 429) return undefined;
  if (answer.status !== 200) {
    throw new Trouble(
      `The service answers ${answer.status}: the access token must be valid and have the scope events.`,
    );
  }
  const { events, operations } = (await answer.json()) as {
    readonly events: { readonly hasMore: boolean; readonly eventList: readonly ShownEvent[] };
    readonly operations: readonly { readonly rel: string; readonly href: string }[];
  };
  const next = operations.find(({ rel }) => rel === 'next')?.href;
  if (next === undefined) throw new Trouble('What answers at this address is no feed of events.');
  return { events: events.eventList, hasMore: events.hasMore, next: new URL(next).searchParams.get('after') ?? after };
}

/** Posts one event, once. What came of it: a status, or undefined without an answer. */
async function forward({ forwardTo, secret }: Route, event: ShownEvent): Promise<number | undefined> {
  const body = JSON.stringify(event);
  const message = { id: event.id, timestamp: Math.floor(Date.now() / 1000), body };
  const answer = await fetch(forwardTo, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signedHeaders(message, [secret]) },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
  }).catch(() => undefined);
  await answer?.body?.cancel().catch(() => undefined);
  return answer?.status;
}

function lineOf(
  { position, type, resource }: ShownEvent,
  status: number | undefined,
  { json }: { readonly json: boolean },
): string {
  if (json) return JSON.stringify({ position, type, resource, status: status ?? null });
  return `${position}  ${type}  ${resource.kind} ${resource.id}  ${status ?? 'no answer'}`;
}
