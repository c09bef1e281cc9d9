// Addresses hold a password, so no message repeats any part of one.

/** Parameters that an address of a database may have. The driver would ignore others in silence. */
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat', 'require_auth'];
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

const FORM = 'must be an address of the form postgres://user:password@host/database';
const ESCAPES = 'In a user or password write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25.';

/** Says what is wrong with the address of a PostgreSQL database and how to put it right; undefined if it can be used. */
export function databaseAddressFault(address: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(address)) return `${FORM}.`;
  if (address.includes('#')) return `has a # in it. ${ESCAPES}`;
  const [, authority = ''] = /^[a-z]+:\/\/([^/?]*)/.exec(address) ?? [];
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) {
    return 'names several hosts. Kontor takes one address, which has to follow the primary.';
  }
  const parsed = parse(address);
  if (parsed === undefined) return `${FORM}. ${ESCAPES}`;
  const { searchParams } = parsed;
  if (searchParams.get('host')?.includes(',')) {
    return 'names several hosts. Kontor takes one address, which has to follow the primary.';
  }
  if ([...searchParams.keys()].some((name) => !PARAMETERS.includes(name))) {
    return `has a parameter that Kontor does not know. It knows ${PARAMETERS.join(', ')}.`;
  }
  const mode = searchParams.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    return `has an unknown sslmode. It is one of ${SSL_MODES.join(', ')}.`;
  const authentication = searchParams.get('require_auth');
  if (authentication !== null && authentication !== 'scram-sha-256') {
    return 'has an unknown require_auth. It is scram-sha-256, or left out.';
  }
  return undefined;
}

/** As the driver reads it: without a host it is the local socket. */
function parse(address: string): URL | undefined {
  try {
    const url = new URL(address.replace(/^([a-z]+:\/\/[^/?]*@)(?=\/|$)/, '$1localhost'));
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part);
    return url;
  } catch {
    return undefined;
  }
}
