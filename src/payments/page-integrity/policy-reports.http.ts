import type { OpenRoute } from '../../http/route.types.ts';
import { POLICY_REPORTS } from './page-headers.rules.ts';

/** Hears that a browser has refused something on a payment page. */
export interface PolicyReportListener {
  /** By the directive that it broke, as in `script-src`; `other` for what is none of ours. */
  refused(directive: string): void;
}

/** What is counted; all else has one name, so that strangers make no new ones. */
const DIRECTIVES = [
  'script-src',
  'style-src',
  'img-src',
  'connect-src',
  'font-src',
  'frame-src',
  'form-action',
  'base-uri',
  'frame-ancestors',
  'require-trusted-types-for',
  'trusted-types',
  'default-src',
] as const;
/** Reports of one request that are counted. */
const REPORTS = 20;

/** Counts what browsers report of payment pages. Nothing of a report is kept: its addresses are secrets, and anyone can send one. */
export function policyReportRoute(listener: () => PolicyReportListener | undefined): OpenRoute {
  return {
    method: 'POST',
    path: POLICY_REPORTS,
    limit: 'page',
    handle: ({ body }) => {
      for (const directive of directivesIn(body)) listener()?.refused(directive);
      return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
    },
  };
}

/** The directives of both forms of reports: `{"csp-report": …}`, and an array with a `body` each. */
function directivesIn(body: Buffer): readonly string[] {
  const sent = parsed(body);
  const reports = Array.isArray(sent)
    ? sent.slice(0, REPORTS).map((one) => memberOf(one, 'body'))
    : [memberOf(sent, 'csp-report')];
  return reports
    .map(
      (report) =>
        memberOf(report, 'effectiveDirective') ??
        memberOf(report, 'effective-directive') ??
        memberOf(report, 'violated-directive'),
    )
    .filter((directive) => typeof directive === 'string')
    .map(known);
}

/** `script-src-elem` is told as `script-src`: it is what the policy says. */
function known(directive: string): string {
  return (
    DIRECTIVES.find((one) => directive === one || directive.startsWith(`${one}-`) || directive.startsWith(`${one} `)) ??
    'other'
  );
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
