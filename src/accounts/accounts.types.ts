/** What the routes of account payments need. */
export interface AccountRoutesOptions {
  readonly baseUrl: () => string;
}
