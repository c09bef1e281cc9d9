import { PAGE_DA_DK } from './page-da-DK.ts';
import { PAGE_EN_US } from './page-en-US.ts';
import { PAGE_FI_FI } from './page-fi-FI.ts';
import { PAGE_NB_NO } from './page-nb-NO.ts';
import { PAGE_SV_SE } from './page-sv-SE.ts';
import type { PageLocale, PageTexts } from './page-texts.types.ts';

/** The texts of a payer's pages in all languages, in the order in which they are offered. */
export const PAGE_TEXTS: Readonly<Record<PageLocale, PageTexts>> = {
  'nb-NO': PAGE_NB_NO,
  'sv-SE': PAGE_SV_SE,
  'da-DK': PAGE_DA_DK,
  'fi-FI': PAGE_FI_FI,
  'en-US': PAGE_EN_US,
};
