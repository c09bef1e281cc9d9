import { newSpanId } from '../../kit/ids.ts';
import type { Trace } from '../../kit/work/trace.ts';

/** Version, trace id, parent id, flags. What a later version adds comes behind them, after a further hyphen. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/**
 * Takes a trace over from a `traceparent` header (W3C Trace Context, section 3.2). One that is absent or malformed is no
 * trace, and never a reason to refuse a request. A header of a later version is read as far as we know it (section 4.3).
 * A header that came twice is joined by the parser, and so malformed.
 *
 * `tracestate` is not taken over: it is text of other systems, which has no business at an issuer.
 */
export function readTraceparent(header: string | readonly string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId = '', parentId = '', flags = '', more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (isZero(traceId) || isZero(parentId)) return undefined;
  return { traceId, spanId: newSpanId(), isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

/** An id of zeros is none. */
function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
