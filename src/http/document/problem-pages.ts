import { CARD_PROBLEMS } from '../../kit/cards/card-problems.ts';
import { notFound, PROBLEMS, type ProblemKind } from '../../kit/errors.ts';
import { prefersHtml } from '../body/negotiate.ts';
import { escapeHtml, PAGE_HEADERS, PAGE_STYLE, page, STYLE_PATH } from '../pages/page.ts';
import type { OpenAnswer, OpenRoute } from '../route.types.ts';
import { PROBLEM_TYPE, toProblem } from './problem.ts';

/**
 * The pages that the `type` of each problem leads to (RFC 9457, section 3.1.1): what it means, when it happens, and what
 * the caller does next; for people as HTML, for programs as JSON.
 */
export function problemPages(baseUrl: () => string): OpenRoute[] {
  return [
    registryPages('/errordetail', PROBLEMS, baseUrl),
    registryPages('/errordetail/creditcard', CARD_PROBLEMS, baseUrl),
    {
      method: 'GET',
      path: STYLE_PATH,
      handle: () => ({
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=3600' },
        body: PAGE_STYLE,
        packing: 'once',
      }),
    },
  ];
}

function registryPages(path: string, kinds: Readonly<Record<string, ProblemKind>>, baseUrl: () => string): OpenRoute {
  return {
    method: 'GET',
    path: `${path}/:code`,
    handle: ({ params, headers, sessionId }) => {
      const code = params['code'] ?? '';
      const kind = Object.hasOwn(kinds, code) ? kinds[code] : undefined;
      if (kind === undefined) return unknownCode(baseUrl(), sessionId);
      return prefersHtml(headers['accept'] as string | undefined)
        ? { status: 200, headers: CACHED_PAGE, body: problemPage(code, kind), packing: 'once' }
        : {
            status: 200,
            headers: CACHED_JSON,
            body: JSON.stringify(problemDocument(`${baseUrl()}${path}/${code}`, kind)),
            packing: 'once',
          };
    },
  };
}

const CACHED_PAGE = { ...PAGE_HEADERS, 'cache-control': 'public, max-age=3600', vary: 'Accept' };
const CACHED_JSON = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept',
};

function unknownCode(baseUrl: string, sessionId: string): OpenAnswer {
  const { status, headers, body } = toProblem(notFound(), baseUrl, sessionId);
  return { status, headers: { ...headers, 'content-type': PROBLEM_TYPE }, body };
}

function problemDocument(type: string, { title, status, retryable, meaning, when, next }: ProblemKind) {
  return { type, title, status, retryable, meaning, when, next };
}

function problemPage(code: string, kind: ProblemKind): string {
  const again = kind.retryable
    ? 'The same request may be sent again.'
    : 'Sending the same request again gives the same answer.';
  return page(
    `${kind.title} (${code})`,
    `<p class="soft"><code>${code}</code> · HTTP ${kind.status}</p>
<h1>${escapeHtml(kind.title)}</h1>
<h2>What it means</h2>
<p>${prose(kind.meaning)}</p>
<h2>When it happens</h2>
<p>${prose(kind.when)}</p>
<h2>What to do next</h2>
<p>${prose(kind.next)}</p>
<p class="soft">${again}</p>`,
  );
}

/** Text with `code` in backquotes. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
