/** The addresses of one database for each role. */
export interface Addresses {
  /** The superuser, for what only he may do: ending other sessions, making databases. */
  readonly adminUrl: string;
  readonly ownerUrl: string;
  readonly appUrl: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly database: Addresses;
    /** Where the first start of a sandbox leaves its files, for all to copy. */
    readonly sandbox: { readonly folder: string };
  }
}

/** The migrated database that is copied for each test file. There may be no connection to it. */
export const TEMPLATE = 'kontor_template';

/** The same with a sandbox in it, for files that start a service. The first of them makes it. */
export const SANDBOX_TEMPLATE = 'kontor_sandbox_template';

/** The same server and role, another database. */
export function onDatabase(url: string, database: string): string {
  return url.replace(/\/[^/?]*(?=\?|$)/, `/${database}`);
}
