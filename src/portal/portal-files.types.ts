/** A file that the portal's pages load. */
export interface PortalFile {
  readonly contentType: string;
  readonly content: Buffer;
}

/** What was built of `portal/`. */
export interface PortalFiles {
  /** The one page, whatever the address: its script shows what the address is about. */
  readonly page: PortalFile;
  /** By name, without folders. */
  readonly assets: ReadonlyMap<string, PortalFile>;
}
