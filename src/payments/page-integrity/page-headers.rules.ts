/** Where browsers tell what the policy of a page has kept them from (CSP 3, 5; Reporting API). */
export const POLICY_REPORTS = '/checkout/reports';

/**
 * Of each page, but for its policy. The address of a page is its secret: it is neither cached nor told to others. What a browser
 * refuses on it is told to us.
 */
export function commonHeaders(isFramed: boolean): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': isFramed ? 'cross-origin' : 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'x-robots-tag': 'noindex',
    'reporting-endpoints': `page="${POLICY_REPORTS}"`,
    // Older browsers do not know frame-ancestors. There is no way to allow one other site alone.
    ...(!isFramed && { 'x-frame-options': 'DENY' }),
  };
}
