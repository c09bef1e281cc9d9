/** How the embedded PostgreSQL is asked for. */
export interface EmbeddedOptions {
  /** The service's data directory, absolute. PostgreSQL lives in `<dataDir>/postgres`; both are made if missing. */
  readonly dataDir: string;
  /** `serve` owns the directory alone; `command` works beside a running service, or starts the server for its own run. */
  readonly as: 'serve' | 'command';
  /** The number in the name of the server's socket. Tests choose one whose port they can listen at. */
  readonly socketNumber?: number;
  /** Takes what happens, one line each. Never a secret. */
  readonly log: (line: string) => void;
}

/** A PostgreSQL server that runs, and our claim to its directory. */
export interface EmbeddedPostgres {
  /** postgres:// URL of the superuser on the database `kontor`: for the starter itself and for emergencies. */
  readonly adminUrl: string;
  /** Role `kontor_owner`, which owns the database and its tables: runs the migrations. */
  readonly ownerUrl: string;
  /** Role `kontor_app`: what the service works as. */
  readonly appUrl: string;
  /** Gives up the directory, and stops the server where no other process uses it. Safe to call twice. */
  stop(): Promise<void>;
}
