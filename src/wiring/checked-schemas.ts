import type { TSchema } from 'typebox';
import { CardLineBody } from '../gift-cards/bulk/import.wire.ts';
import { declaredBody } from '../http/body/declared.ts';
import { scanned } from '../http/body/validate.ts';
import { checksOf } from '../http/edge/reception.ts';
import { ImportLineBody, UpdateLineBody } from '../tokens/import/import.wire.ts';
import { describeRoutes } from './describe-api.ts';

/** What commands check that no route does: lines of files. */
const OF_COMMANDS = [CardLineBody, ImportLineBody, UpdateLineBody];

/** All schemas that something is checked by, as checks are compiled of them: the build does so. */
export function checkedSchemas(): TSchema[] {
  const schemas: TSchema[] = [];
  const note = (schema: TSchema) => {
    schemas.push(scanned(schema));
    return () => [];
  };
  const { apiRoutes, portalRoutes } = describeRoutes();
  for (const { shape } of [...apiRoutes, ...portalRoutes]) checksOf(shape, note);
  for (const body of OF_COMMANDS) declaredBody(note, body);
  return schemas;
}
