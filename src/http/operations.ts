/** One thing that can be done with a resource now: what the client follows instead of building addresses. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Absolute. */
  readonly href: string;
  readonly rel: string;
  readonly contentType: string;
}

/** The same as `operations` has it, in the shape of `_links`. */
export interface Link {
  /** Absolute. */
  readonly href: string;
  readonly rel: string;
  readonly type: string;
  readonly templated: boolean;
}

/** The links of a resource: itself, and its operations. */
export function linksOf(self: string, operations: readonly Operation[]): Link[] {
  const link = (rel: string, href: string): Link => ({ href, rel, type: 'application/json', templated: false });
  return [link('self', self), ...operations.map(({ rel, href }) => link(rel, href))];
}

/** A path from segments that may hold anything: each is percent-encoded (RFC 3986, section 2.1). */
export function path(strings: TemplateStringsArray, ...segments: string[]): string {
  let whole = strings[0] ?? '';
  for (const [index, segment] of segments.entries()) whole += encodeURIComponent(segment) + strings[index + 1];
  return whole;
}

/** An operation with a JSON body or answer. */
export function operation(method: Operation['method'], rel: string, href: string): Operation {
  return { method, href, rel, contentType: 'application/json' };
}

/** An operation that a payer's browser opens or loads. */
export function pageOperation(
  rel: string,
  href: string,
  contentType: 'text/html' | 'application/javascript',
): Operation {
  return { method: 'GET', href, rel, contentType };
}
