import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { declaredBody } from '../../src/http/body/declared.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { ROLES } from '../../src/kit/portal-user.ts';
import { ACCESS } from '../../src/portal-users/access.rules.ts';
import { describePortal, describeRoutes } from '../../src/wiring/describe-api.ts';
import { ROOT } from '../tidy/files.ts';

const { portalRoutes, apiRoutes } = describeRoutes();

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** A body with an empty text for each member that it may lack, and without the others. */
function emptied(schema: TSchema): object {
  const { properties = {}, required = [] } = schema as Shape;
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => !required.includes(name))
      .map((name) => [name, '']),
  );
}

function complaints(take: () => unknown): readonly (readonly [string, string])[] {
  try {
    take();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems.map(({ name, description }) => [name, description]);
  }
}

describe("the portal's routes", () => {
  test('are in their document, which is committed as they make it', async () => {
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

  test('take an empty text for every member that may be missing as if it were not there', () => {
    const compile = schemaChecker(() => []);
    let tried = 0;
    for (const { operationId, shape } of portalRoutes) {
      if (shape.body === undefined) continue;
      const body = emptied(shape.body);
      tried += Object.keys(body).length;
      expect([operationId, complaints(() => declaredBody(compile, shape.body as TSchema)(body))]).toEqual([
        operationId,
        ((shape.body as Shape).required ?? []).map((name) => [name, 'is required']),
      ]);
    }
    expect(tried).toBeGreaterThan(5);
  });

  test('take a body with each change, and none with what only reads', () => {
    for (const { method, shape, path, fileBytes } of portalRoutes) {
      expect(shape.body === undefined && fileBytes === undefined, `${method} ${path}`).toBe(method === 'GET');
      expect(shape.body === undefined || fileBytes === undefined, `${method} ${path} takes one or the other`).toBe(
        true,
      );
    }
  });
});
