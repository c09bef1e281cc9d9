/**
 * What a command of the command line gets from `program.ts`. It prints through this and throws what goes wrong; only
 * `main.ts` exits. Each slice says in its own types which service its commands need.
 */
export interface CommandRuntime<Service> {
  /** Opens the database (starts the embedded one where none runs), does the work, and closes it again. */
  withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result>;
  /** Writes one piece of text and a line end to the standard output. */
  print(text: string): void;
}
