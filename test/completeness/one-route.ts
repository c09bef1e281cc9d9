import type { ApiRoute } from '../../src/http/route.types.ts';
import { SCOPES } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { goodRequest, MARKER, type RouteRequest, sendRequest } from '../support/prober/routes-requests.ts';
import { freshName, sampleCards, sampleOf } from '../support/prober/routes-samples.ts';
import { SAMPLE_ACCOUNT } from '../support/prober/routes-samples-accounts.ts';
import type { Sought } from '../support/prober/scanner.ts';
import type { RawAnswer } from '../support/prober/sockets.ts';
import type { TestService } from '../support/service.ts';
import { type BadTokens, badTokens, operatorToken } from './routes-callers.ts';

/** One service, and all who call it. */
export interface Site {
  readonly kontor: TestService;
  readonly other: { readonly payeeId: PayeeId };
  readonly bad: BadTokens;
  readonly operator: string;
  /** An access token with these scopes: one for all routes. */
  tokenOf(scopes: readonly string[]): Promise<string>;
  /** By scope, an access token with all scopes but those that do in its place. */
  readonly tokenWithout: ReadonlyMap<string, string>;
  send(request: RouteRequest): Promise<RawAnswer>;
  /** All answers so far, each with what was asked. */
  readonly answers: readonly { readonly asked: string; readonly text: string }[];
  /** What was sent, and no answer and no table may have. */
  sought(): Sought[];
}

/** An object, and a request about it. */
interface Named {
  readonly name: string;
  readonly good: RouteRequest;
}

/** What a route is asked with. */
export interface Prepared extends Site, Named {
  /** The body that is taken, with members that name what was made. */
  readonly fullBody: Readonly<Record<string, unknown>>;
  /** An object of another payee, and what was answered about it before it was there. */
  readonly foreign: Named & { readonly whenUnknown: RawAnswer | undefined };
  /** An access token with every scope but those that open the route. */
  readonly withoutScope: string;
}

/** A route that is tested, and what it is asked with once that was made. */
export interface OneRoute {
  readonly route: ApiRoute;
  /** Whether it is the first of its kind, which is sent all that others get a share of: so that all answers are compared. */
  readonly isFirst: boolean;
  /** The methods of its address. */
  readonly methods: readonly string[];
  readonly at: () => Prepared;
}

/** Gathers those who call a service. */
export async function siteOf(kontor: TestService, routes: readonly ApiRoute[]): Promise<Site> {
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (scopes: readonly string[]) => {
    const key = scopes.join(' ');
    const made = tokens.get(key) ?? kontor.addAccessToken(scopes);
    tokens.set(key, made);
    return made;
  };
  const tokenWithout = new Map<string, string>();
  for (const scope of SCOPES) {
    // Without those that open a route in the place of its own, too.
    const inItsPlace = routes.flatMap((route) => (route.scope === scope ? (route.otherScopes ?? []) : []));
    const others = SCOPES.filter(
      (candidate) => candidate !== scope && !inItsPlace.includes(candidate) && !candidate.startsWith('tokens:act-as-'),
    );
    tokenWithout.set(scope, await kontor.addAccessToken(others));
  }
  const bad = await badTokens(kontor);
  const operator = await operatorToken(kontor, SCOPES);
  const answers: { asked: string; text: string }[] = [];
  return {
    kontor,
    other: await kontor.addPayee(),
    bad,
    operator,
    tokenOf,
    tokenWithout,
    send: async (request) => {
      const answer = await sendRequest(kontor.baseUrl, request);
      answers.push({ asked: `${request.method} ${request.path}`, text: answer.text });
      return answer;
    },
    answers,
    sought: () => [
      ...[...sampleCards(), SAMPLE_ACCOUNT].map(
        (value): Sought => ({ name: 'of a sample', value, kind: 'card number' }),
      ),
      ...Object.entries({
        'the access token': kontor.accessToken,
        "the operator's": operator,
        ...bad,
        'the HMAC secret': kontor.hmac.secret,
      })
        .filter(([, value]) => value !== MARKER)
        .map(([name, value]): Sought => ({ name, value, kind: 'secret' })),
    ],
  };
}

/** Makes the objects that a route is asked about, once for all tests: mostly that takes longer than the questions. */
export async function prepare(site: Site, route: ApiRoute): Promise<Prepared> {
  const { kontor, other, send, tokenOf } = site;
  const sample = sampleOf(route);
  const name = freshName();
  await sample.make(kontor, kontor.payeeId, name);
  const good = goodRequest(route, { ...kontor, name });
  // Some are about what was made last, which is theirs in a moment.
  const fullBody = { ...(sample.fullBody ?? sample.body) };
  const theirs = freshName();
  const aboutTheirs = goodRequest(route, { ...kontor, name: theirs });
  const whenUnknown = sample.isAboutNothing ? undefined : await send(aboutTheirs);
  await sample.make(kontor, other.payeeId, theirs);
  const others = SCOPES.filter((scope) => scope !== route.scope && !route.otherScopes?.includes(scope));
  return {
    ...site,
    name,
    good,
    fullBody,
    foreign: { name: theirs, good: aboutTheirs, whenUnknown },
    withoutScope: await tokenOf(others),
  };
}
