/** A file that pages load, named by what is in it: it never changes. */
export interface BrowserFile {
  /** Below the service's address: `/checkout/page-6f2b2a769394.js`. */
  readonly path: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Files by their paths. */
export type BrowserFiles = ReadonlyMap<string, BrowserFile>;
