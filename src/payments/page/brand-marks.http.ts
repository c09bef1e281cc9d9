import { html, Markup } from '../../http/pages/markup.ts';

/** Small drawings of our own for each brand, 30 by 20. They are decoration: the brand's name stands beside them. */
const DRAWINGS: Readonly<Record<string, string>> = {
  Visa: '<rect width="30" height="20" rx="3" fill="#fff"/><text x="15" y="14.2" font-size="9.5" font-weight="900" font-style="italic" textLength="22" fill="#1a1f71">VISA</text>',
  Mastercard:
    '<rect width="30" height="20" rx="3" fill="#fff"/><circle cx="12" cy="10" r="6" fill="#e0001a"/><circle cx="18" cy="10" r="6" fill="#f79e1b" fill-opacity=".9"/>',
  Amex: '<rect width="30" height="20" rx="3" fill="#0b6fc2"/><text x="15" y="13.2" font-size="8" font-weight="800" textLength="23" fill="#fff">AMEX</text>',
  Dankort:
    '<rect width="30" height="20" rx="3" fill="#fff"/><path d="M8 4h14a6 6 0 0 1 0 12H8A6 6 0 0 1 8 4z" fill="#d2142d"/><text x="15" y="13" font-size="8" font-weight="900" fill="#fff">DK</text>',
  Maestro:
    '<rect width="30" height="20" rx="3" fill="#fff"/><circle cx="12" cy="10" r="6" fill="#0080c8"/><circle cx="18" cy="10" r="6" fill="#e0001a" fill-opacity=".9"/>',
  JCB: '<rect width="30" height="20" rx="3" fill="#fff"/><rect x="5" y="3" width="6" height="14" rx="2" fill="#0b4ea2"/><rect x="12" y="3" width="6" height="14" rx="2" fill="#d2142d"/><rect x="19" y="3" width="6" height="14" rx="2" fill="#00883e"/>',
  Diners:
    '<rect width="30" height="20" rx="3" fill="#fff"/><circle cx="15" cy="10" r="7" fill="#004a97"/><path d="M13 5.5v9a4.8 4.8 0 0 1 0-9zm4 0v9a4.8 4.8 0 0 0 0-9z" fill="#fff"/>',
  Discover:
    '<rect width="30" height="20" rx="3" fill="#fff"/><path d="M30 11v6a3 3 0 0 1-3 3H12c8-1 14-4 18-9z" fill="#f47216"/><text x="15" y="10.5" font-size="6" font-weight="800" textLength="22" fill="#222">DISCOVER</text>',
  UnionPay:
    '<rect width="30" height="20" rx="3" fill="#fff"/><path d="M6 3h6L9 17H3z" fill="#d2142d"/><path d="M12 3h6l-3 14H9z" fill="#00447c"/><path d="M18 3h9l-3 14h-9z" fill="#007b84"/>',
};

/** The drawings of these brands, once in a page, for `brandMark` to show. */
export function brandSprite(brands: readonly string[]): Markup {
  const known = brands.filter((brand) => Object.hasOwn(DRAWINGS, brand));
  const symbols = known.map(
    (brand) => new Markup(`<symbol id="mark-${brand}" viewBox="0 0 30 20">${DRAWINGS[brand]}</symbol>`),
  );
  return html`<svg class="sprite" aria-hidden="true">${symbols}</svg>`;
}

/** A brand's drawing; nothing for a brand that has none. */
export function brandMark(brand: string): Markup | undefined {
  if (!Object.hasOwn(DRAWINGS, brand)) return undefined;
  return html`<svg class="mark" data-brand="${brand}" aria-hidden="true"><use href="#mark-${brand}"/></svg>`;
}

/** All brands that are drawn, the most usual ones first. */
export const DRAWN_BRANDS = Object.keys(DRAWINGS);
