import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import type { OpenRoute } from '../route.types.ts';

/** The reference's script is 4.4 MB: read once, at the first look, and kept. */
let script: Buffer | undefined;

const SETTINGS = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: 'bearer' },
  agent: { disabled: true },
  mcp: { disabled: true },
};

/**
 * The script may run and write styles (it makes its own at run time, which is why inline styles are allowed here and
 * nowhere else), and talk to this service; nothing else.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kontor API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Requests go to where the page came from: the policy allows no other place, not even another name of this service. */
const START = `'use strict';
const servers = [{ url: window.location.origin }];
Scalar.createApiReference('#reference', { ...${JSON.stringify(SETTINGS)}, servers });
`;

/** The interactive reference at `/docs`: works offline, loads nothing from elsewhere. */
export function referenceRoutes(openApi: () => string): OpenRoute[] {
  const javascript = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' };
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      handle: () => ({
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
        body: openApi(),
        packing: 'once',
      }),
    },
    {
      method: 'GET',
      path: '/docs',
      handle: () => ({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': POLICY,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        },
        body: PAGE,
        packing: 'once',
      }),
    },
    {
      method: 'GET',
      path: '/docs/start.js',
      handle: () => ({ status: 200, headers: javascript, body: START, packing: 'once' }),
    },
    {
      method: 'GET',
      path: '/docs/scalar.js',
      handle: () => {
        script ??= readFileSync(new URL('dist/reference/scalar.js', PACKAGE_FOLDER));
        return { status: 200, headers: javascript, body: script, packing: 'once' };
      },
    },
  ];
}
