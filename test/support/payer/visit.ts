import type { Page } from 'playwright-core';
import type { ShopSite } from '../shop/shop-site.ts';
import type { TestBrowser } from './browser.ts';
import type { Look } from './looks.ts';
import { type Place, shows as showsAt } from './payer.ts';

/** A payer in front of a payment, on its own page or in the view of a shop's page. */
export interface Visit {
  readonly window: Page;
  /** Where the form is. */
  readonly place: Place;
  /** Waits until the browser is on this page of the shop. */
  arrives(at: 'done' | 'cancelled'): Promise<void>;
  /** Waits until the payment's page says this of itself. */
  shows(state: string): Promise<void>;
  /** Opens the page anew, by its address. */
  comeBack(): Promise<void>;
}

/** How payers reach a page. */
export type Way = 'by redirect' | 'in the view';
export const WAYS: readonly Way[] = ['by redirect', 'in the view'];

/** What is visited. */
export interface Visited {
  /** Addresses of the page, and of the view script. */
  readonly link: { readonly page: string; readonly script: string };
  readonly way: Way;
  readonly look: Look;
  /** What makes the view: see `viewPage`. */
  readonly make?: string;
}

/** Has a payer open a page. */
export async function visit(browser: TestBrowser, site: ShopSite, { link, way, look, make }: Visited): Promise<Visit> {
  const isView = way === 'in the view';
  // No handlers: the script takes the browser to where the payment says.
  const options = { culture: look.locale, handlers: [], ...(make !== undefined && { make }) };
  const address = isView ? site.viewPage(link.script, options) : link.page;
  const window = await browser.open(address, look);
  if (isView) await window.locator('#open').click();
  const place = isView ? window.frameLocator('iframe') : window;
  await place.locator('html[data-state]').waitFor();
  return {
    window,
    place,
    arrives: (at) => window.waitForURL(`${site.origin}/${at}`),
    shows: (state) => showsAt(place, state),
    comeBack: async () => {
      await window.goto(address);
      if (isView) await window.locator('#open').click();
    },
  };
}

/** Whether the payer is on a page of the shop. */
export function isFramed(window: Page): boolean {
  return new URL(window.url()).hostname === 'localhost';
}
