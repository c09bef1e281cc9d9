import { parseAddress } from '../../kit/addresses/address.ts';
import { type Finding, ok, problem } from '../../kit/findings.ts';
import { integrityOf } from '../../kit/secret.ts';
import { checkPage, type NamedFile } from './check-page.rules.ts';
import { PINNED_FILES } from './pinned-files.rules.ts';

/** Characters of a page that are looked at; ours have a twentieth. */
const MOST_CHARACTERS = 1_000_000;

/** Asks for an address as a browser does, and follows nothing. */
export type Get = (url: URL) => Promise<Response>;

/**
 * Gets a payment page, and the files that it names, through whatever stands before the service, and compares them with what this
 * version sends.
 *
 * @param url the link of a payment that can be paid
 */
export async function checkPageAt(get: Get, url: URL): Promise<readonly Finding[]> {
  const answer = await get(url).catch(unanswered);
  if (!(answer instanceof Response)) return [answer];
  const text = (await answer.text()).slice(0, MOST_CHARACTERS);
  if (answer.status !== 200) {
    return [problem(`The page was answered with ${answer.status}: give the link of a payment that can be paid.`)];
  }
  const { findings, files } = checkPage({ url, headers: answer.headers, text });
  return [...(await checkFiles(get, url, files)), ...findings];
}

async function checkFiles(get: Get, page: URL, files: readonly NamedFile[]): Promise<readonly Finding[]> {
  const pinned = new Set(Object.values(PINNED_FILES));
  return Promise.all(
    files.map(async ({ url, integrity }) => {
      const at = parseAddress(url, page);
      if (at?.origin !== page.origin)
        return problem(`The page loads a file from elsewhere: ${at?.origin ?? 'no address'}.`);
      const answer = await get(at).catch(unanswered);
      if (!(answer instanceof Response)) return answer;
      const found = integrityOf(Buffer.from(await answer.arrayBuffer()));
      if (found !== integrity || !pinned.has(found)) {
        const meant = pinned.has(integrity) ? 'what this version has' : 'another version, or of a stranger';
        return problem(`${at.pathname} is not what it should be; the page names ${meant}.`);
      }
      return ok(`${at.pathname} is what this version was built with.`);
    }),
  );
}

function unanswered(error: unknown): Finding {
  const why = error instanceof Error ? ((error.cause as { code?: string } | undefined)?.code ?? error.name) : 'unknown';
  // What was not compared may be other than it should be.
  return problem(`No answer came (${why}): nothing was compared.`);
}
