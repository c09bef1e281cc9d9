/** What the parameters of an endpoint are given as. */
export interface Parameters {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/**
 * The method and the address of an endpoint, such as `GET /webhooks/{webhookId}`: its parameters are filled in, each
 * percent-encoded, and what of the query is undefined is left out.
 *
 * @throws TypeError where a parameter of the path is missing or empty, or would be a step to another address
 */
export function addressOf(endpoint: string, { params = {}, query = {} }: Parameters) {
  const [method = '', template = ''] = endpoint.split(' ');
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`The address needs ${name}.`);
    // However they are encoded, what reads the address would take these out, and the part before them.
    if (value === '.' || value === '..') throw new TypeError(`In an address ${name} cannot be . or ..`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const text = String(search);
  return { method, address: text === '' ? path : `${path}?${text}` };
}
