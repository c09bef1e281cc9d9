import { reasonOf } from '../../iso8583/link/line-reasons.rules.ts';
import { advice, type Finding, ok, problem, someOf } from '../../kit/findings.ts';
import type { AcquirersFile, DirectoryServer, ThreeDSServer } from '../acquirers/acquirers.types.ts';
import { wordsOf } from '../line-words.rules.ts';
import type { DirectoryState, FoundOnPort, LeftOutMember, Probed } from './three-ds.types.ts';

// What `kontor doctor` says of 3-D Secure, and what to do about it.

/** Seconds after which cards should have been told again: they are asked for each day. */
const OLD_SECONDS = 2 * 24 * 3600;

/** What was left out for the last time longer ago is not told any more. */
export const LEFT_OUT_DAYS = 7;

/** Whether a directory server is there. */
export function lineFindings({ scheme, tls }: DirectoryServer, probed: Probed): readonly Finding[] {
  const name = `Directory server ${scheme}`;
  if ('cause' in probed) {
    const { cause, hasOpened } = probed;
    const because = wordsOf(reasonOf({ cause, hasTls: tls !== 'none', wasSigningOn: hasOpened }), 'url');
    const text = `${name}: no answer: ${because}. Look at its url and tls, and whether this machine may reach it.`;
    return [problem(text)];
  }
  const answered = ok(`${name}: it answers after ${probed.answerMs.toFixed(1)} ms.`);
  if (tls !== 'none') return [answered];
  return [answered, advice(`${name}: it is on this machine, without TLS: one to try against, which no card knows.`)];
}

/** What a directory server has told of its cards. */
export function cardsFinding({ scheme, url }: DirectoryServer, states: readonly DirectoryState[]): Finding {
  const name = `Directory server ${scheme}`;
  const state = states.find((one) => one.scheme === scheme && one.url === url);
  if (state === undefined) return advice(`${name}: not asked for its cards yet. The service does it when it starts.`);
  const { preparedSeconds, askedSeconds, ranges, leftOut } = state;
  if (preparedSeconds === null) {
    const asked = `asked for its cards ${ageOf(askedSeconds)} ago, without an answer that could be used`;
    return advice(
      `${name}: ${asked}; meanwhile every card is asked about. The service asks again each hour; its log says why not.`,
    );
  }
  const told = `it has told ${ranges} ranges of cards, ${ageOf(preparedSeconds)} ago`;
  if (ranges === 0) return advice(`${name}: ${told}: no card is authenticated. Ask the scheme why.`);
  if (preparedSeconds > OLD_SECONDS) {
    return advice(`${name}: ${told}, and should each day. Look whether the service runs, and what its log says.`);
  }
  if (leftOut === 0) return ok(`${name}: ${told}.`);
  return advice(
    `${name}: ${told}; ${leftOut} more are not of their form and were left out: their cards are not authenticated. Tell the scheme.`,
  );
}

/** What was left out of a directory server's messages. */
export function leftOutFindings(
  { scheme }: Pick<DirectoryServer, 'scheme'>,
  leftOut: readonly LeftOutMember[],
): readonly Finding[] {
  const own = leftOut.filter((one) => one.scheme === scheme);
  if (own.length === 0) return [];
  const members = own.map(({ message, member, times }) => `${member} of ${message} (${times})`);
  const text = `Directory server ${scheme}: of its messages these members are not of their form and were left out, in the last ${LEFT_OUT_DAYS} days too: ${members.join(', ')}. Tell the scheme.`;
  return [advice(text)];
}

/** What is known of the address for results. */
export interface ResultsLook {
  /** Undefined where nothing was connected to. */
  readonly found: FoundOnPort | undefined;
  readonly isNamed: boolean;
}

/** Whether results of challenges can come. */
export function resultsFindings(
  { resultsUrl, resultsPort }: ThreeDSServer,
  { found, isNamed }: ResultsLook,
): readonly Finding[] {
  const name = '3-D Secure';
  const misnamed = `${name}: the certificate in threeDS.tls is not for ${new URL(resultsUrl).hostname}, to which results are posted: directory servers would refuse it. Get one for that name, or mend resultsUrl.`;
  return [...(isNamed ? [] : [problem(misnamed)]), ...(found === undefined ? [] : [portFinding(resultsPort, found)])];
}

function portFinding(port: number, found: FoundOnPort): Finding {
  const name = `3-D Secure: port ${port} for results`;
  switch (found) {
    case 'Ours':
      return ok(`${name} is ours.`);
    case 'Nothing':
      return advice(`${name}: nothing listens there now. Start the service.`);
    case 'Another':
      return problem(
        `${name} shows another certificate than the one in threeDS.tls. Start the service anew where that was replaced; else another program has the port.`,
      );
    default:
      return problem(`${name} belongs to a program that does not speak TLS. End it, or choose another resultsPort.`);
  }
}

/** Whether payees are known to the directory servers of the brands that they take. */
export function agreementFindings({
  agreements,
  threeDS,
}: Pick<AcquirersFile, 'agreements' | 'threeDS'>): readonly Finding[] {
  const open = agreements.filter(({ closed }) => !closed);
  const schemes = (threeDS?.directoryServers ?? []).map(({ scheme }) => scheme);
  const without = (brand: string) => open.filter(({ brands, threeDS: own }) => brands.includes(brand) && !own[brand]);
  const unheard = open.flatMap(({ id, threeDS: own }) =>
    Object.keys(own)
      .filter((brand) => own[brand] !== undefined && !schemes.includes(brand))
      .map((brand) => `${id} (${brand})`),
  );
  return [
    ...schemes.flatMap((scheme) => {
      const ids = without(scheme).map(({ id }) => id);
      if (ids.length === 0) return [];
      return [advice(`Without 3-D Secure, because the agreement lacks threeDS.${scheme}: ${someOf(ids)}.`)];
    }),
    ...(unheard.length === 0
      ? []
      : [advice(`Without 3-D Secure, because threeDS.directoryServers lacks the brand: ${someOf(unheard)}.`)]),
  ];
}

const UNITS = [
  [24 * 3600, 'days'],
  [3600, 'hours'],
  [60, 'minutes'],
  [1, 'seconds'],
] as const;

/** As in `3 hours`: two at least of what is named. */
function ageOf(seconds: number): string {
  const [size, name] = UNITS.find(([size]) => seconds >= 2 * size) ?? [1, 'seconds'];
  return `${Math.floor(seconds / size)} ${name}`;
}
