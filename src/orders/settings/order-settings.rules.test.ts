import { describe, expect, it } from 'vitest';
import { effectiveSettings, ORDER_SETTINGS, readSetting, SETTING_NAMES } from './order-settings.rules.ts';

describe('the settings of payment orders', () => {
  it('are the defaults where a payee has set nothing', () => {
    expect(effectiveSettings(undefined)).toEqual({
      giftCardsOnPage: undefined,
      giftCardsBuyGiftCards: false,
      holdMinutes: 15,
      orderHoldDays: 7,
      unpaidHours: 672,
      smallestCardAmount: 1,
      captureOrder: 'GiftCardsFirst',
      reversalOrder: 'CardFirst',
    });
  });

  it("are a payee's own where it has set them, also where that is off", () => {
    const own = { giftCardsOnPage: false, holdMinutes: 60, captureOrder: 'CardFirst', reversalOrder: null } as const;
    expect(effectiveSettings(own)).toMatchObject({
      giftCardsOnPage: false,
      holdMinutes: 60,
      captureOrder: 'CardFirst',
      reversalOrder: 'CardFirst',
    });
  });

  it('have defaults among their values', () => {
    for (const name of SETTING_NAMES) {
      const { standard } = ORDER_SETTINGS[name];
      if (standard !== undefined) expect(readSetting(name, String(standard))).toEqual({ [name]: standard });
    }
  });

  it.each([
    ['giftCardsOnPage', 'true', true],
    ['giftCardsOnPage', 'default', null],
    ['giftCardsBuyGiftCards', 'false', false],
    ['holdMinutes', '5', 5],
    ['holdMinutes', '60', 60],
    ['orderHoldDays', '180', 180],
    ['unpaidHours', '1', 1],
    ['smallestCardAmount', '999999999999', 999_999_999_999],
    ['reversalOrder', 'GiftCardsFirst', 'GiftCardsFirst'],
  ])('take %s=%s', (name, text, value) => {
    expect(readSetting(name, text)).toEqual({ [name]: value });
  });

  it.each([
    ['giftCardsOnPage', 'yes'],
    ['giftCardsOnPage', ''],
    ['holdMinutes', '4'],
    ['holdMinutes', '61'],
    ['holdMinutes', '7.5'],
    ['holdMinutes', '-7'],
    ['holdMinutes', ' 7'],
    ['orderHoldDays', '0'],
    ['orderHoldDays', '181'],
    ['unpaidHours', '673'],
    ['smallestCardAmount', '0'],
    ['smallestCardAmount', '1000000000000'],
    ['captureOrder', 'cardfirst'],
    ['toString', '1'],
    ['__proto__', '1'],
    ['', ''],
  ])('refuse %s=%s', (name, text) => {
    expect(() => readSetting(name, text)).toThrow(/inputerror/);
  });
});
