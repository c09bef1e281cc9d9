import { inputError, Refusal } from '../../kit/errors.ts';
import { FORM_PARAMETERS, FORM_VALUE_CHARACTERS } from '../../kit/limits.ts';
import type { OpenRequest } from '../route.types.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i;

/** Whether a request says that its body is a form. */
export function isForm({ headers }: Pick<OpenRequest, 'headers'>): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && FORM_TYPE.test(type);
}

/**
 * The fields of a form that a page has sent. Fields that no page asks for are ignored.
 *
 * @throws Refusal `unsupportedmediatype` where the body is no form, `inputerror` where it has too many fields, one twice,
 *   one that is too long, or NUL in one
 */
export function readFields(request: Pick<OpenRequest, 'headers' | 'body'>): ReadonlyMap<string, string> {
  if (!isForm(request)) {
    throw new Refusal('unsupportedmediatype', 'The body must be application/x-www-form-urlencoded.');
  }
  const fields = new Map<string, string>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(request.body.toString('utf8'))) {
    if (++count > FORM_PARAMETERS) throw inputError('body', `must not have more than ${FORM_PARAMETERS} fields`);
    if (name.includes('\0') || value.includes('\0')) throw inputError('body', 'must not have NUL in a field');
    if (fields.has(name)) throw inputError('body', 'must not have a field twice');
    if (value.length > FORM_VALUE_CHARACTERS) {
      throw inputError('body', `must not have a field of more than ${FORM_VALUE_CHARACTERS} characters`);
    }
    fields.set(name, value);
  }
  return fields;
}

/**
 * Refuses a form that another site's page has sent. Browsers say where a form comes from; one that says nothing is no
 * browser that another site's page could steer. `null` is what a page sends that names no address to others.
 *
 * @throws Refusal `forbidden`
 */
export function refuseForeignForm({ headers }: Pick<OpenRequest, 'headers'>, baseUrl: string): void {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) {
    if (site === 'same-origin') return;
  } else if (origin === undefined || origin === 'null' || origin === new URL(baseUrl).origin) return;
  throw new Refusal('forbidden', 'The form must come from the page itself.');
}
