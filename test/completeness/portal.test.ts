import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describePortal, describeRoutes } from '../../src/describe-api.ts';
import { ROLES } from '../../src/kit/portal-user.ts';
import { ACCESS } from '../../src/portal-users/access.rules.ts';
import { ROOT } from '../tidy/files.ts';

const { portalRoutes, apiRoutes } = describeRoutes();

describe("the portal's routes", () => {
  test('are in their document, which is committed as they make it', () => {
    const committed = readFileSync(join(ROOT, 'openapi/portal.json'), 'utf8');
    const made = `${JSON.stringify(describePortal(), undefined, 2)}\n`;
    const remedy = 'openapi/portal.json differs from the routes. Run: npm run build && npm run openapi';
    expect(committed === made, remedy).toBe(true);
  });

  test('each say in the table of access who may use them, and the table has no others', () => {
    const behindSignIn = portalRoutes.filter(({ isOpen }) => !isOpen).map(({ operationId }) => operationId);
    expect(Object.keys(ACCESS).sort()).toEqual(behindSignIn.sort());
    for (const { roles } of Object.values(ACCESS)) for (const role of roles) expect(ROLES).toContain(role);
  });

  test('are below /portal/api, and have names that no other operation has', () => {
    for (const { path } of portalRoutes) expect(path).toMatch(/^\/portal\/api\//);
    const names = [...portalRoutes, ...apiRoutes].map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('take a body with each change, and none with what only reads', () => {
    for (const { method, shape, path } of portalRoutes) {
      expect(shape.body === undefined, `${method} ${path}`).toBe(method === 'GET');
    }
  });
});
