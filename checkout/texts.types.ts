/** Texts of the page, by their names. */
export type Texts = Readonly<Record<string, string>>;
