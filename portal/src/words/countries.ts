/** What the service says of a card whose range names no country. */
const UNKNOWN_COUNTRY = '999';

/** The names of countries in a language, by their codes. */
export function countriesIn(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return (code) => {
    if (code === UNKNOWN_COUNTRY) return '';
    const letters = regionOf(code);
    return letters === undefined ? code : (names.of(letters) ?? code);
  };
}

/** The two letters of a country. Its digits are aliases of them in the locale data (UTS 35, territoryAlias). */
function regionOf(code: string): string | undefined {
  if (/^[a-z]{2}$/i.test(code)) return code.toUpperCase();
  const region = /^\d{3}$/.test(code) ? new Intl.Locale(`und-${code}`).region : undefined;
  return region?.length === 2 ? region : undefined;
}
