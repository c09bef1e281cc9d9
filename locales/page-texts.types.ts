/** The languages of the pages that a payer sees, as tags of BCP 47. */
export type PageLocale = 'nb-NO' | 'sv-SE' | 'da-DK' | 'fi-FI' | 'en-US';

/**
 * All texts of the payment page and the challenge page, in one language. A word in braces stands for a value: `{amount}`
 * a sum with its currency, `{merchant}` the payee's name, `{card}` a card's brand and last digits, `{count}` a number, `{expiry}` a month and year, `{link}` a link.
 */
export interface PageTexts {
  /** The language's own name for itself. */
  readonly languageName: string;
  readonly language: string;

  readonly payTitle: string;
  readonly payButton: string;
  readonly payNow: string;
  readonly saveTitle: string;
  readonly saveButton: string;
  readonly checkTitle: string;
  readonly checkButton: string;
  readonly total: string;
  readonly priceByCard: string;

  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvc: string;
  readonly cvcHint: string;
  readonly cvcHintAmex: string;
  readonly cvcHintOptional: string;
  readonly name: string;
  readonly optional: string;

  readonly storedCards: string;
  readonly anotherCard: string;
  readonly expires: string;
  readonly remove: string;
  readonly removeCard: string;
  readonly removeTitle: string;
  readonly removeText: string;
  readonly removeConfirm: string;
  readonly keep: string;
  readonly consentChoose: string;
  readonly consentCharge: string;
  readonly consentBoth: string;
  readonly consentStored: string;
  readonly terms: string;
  readonly termsLink: string;
  readonly cancel: string;
  readonly secure: string;
  readonly newWindow: string;

  readonly errorsTitle: string;
  readonly enterAgain: string;
  readonly numberMissing: string;
  readonly numberWrong: string;
  readonly numberNoTestCard: string;
  readonly expiryMissing: string;
  readonly expiryWrong: string;
  readonly expiryPast: string;
  readonly cvcMissing: string;
  readonly cvcWrong: string;
  readonly cvcWrongAmex: string;
  readonly nameWrong: string;
  readonly consentMissing: string;
  readonly cardGone: string;

  readonly declinedTitle: string;
  readonly declined: string;
  readonly declinedFunds: string;
  readonly declinedExpired: string;
  readonly declinedAmount: string;
  readonly declinedTooOften: string;
  readonly declinedTechnical: string;
  readonly declinedAuthentication: string;
  /** With `{info}`. */
  readonly bankSays: string;
  readonly cancelledAuthentication: string;
  readonly cancelledTitle: string;
  readonly stoppedTitle: string;
  /** `{minutes}` and `{merchant}`. */
  readonly stopped: string;
  /** Likewise, where it is not the payer's network. */
  readonly stoppedHere: string;
  readonly triesLeft: string;
  readonly lastTry: string;

  /** Of an order that gift cards pay too: `{left}` what stays on one, `{minutes}` a number, `{time}` a time of day. */
  readonly payByCardButton: string;
  readonly payGiftButton: string;
  readonly orderItems: string;
  readonly meansTitle: string;
  readonly meansCard: string;
  readonly meansGift: string;
  readonly giftNumber: string;
  readonly giftCode: string;
  readonly giftCodeHint: string;
  readonly addGift: string;
  readonly addingGift: string;
  readonly giftCard: string;
  readonly giftAfter: string;
  readonly removeGift: string;
  readonly orderTotal: string;
  readonly toPayByCard: string;
  readonly leftToPay: string;
  readonly giftNumberMissing: string;
  readonly giftCodeMissing: string;
  readonly giftNotUsable: string;
  readonly giftExpired: string;
  readonly giftEmpty: string;
  readonly giftCurrency: string;
  readonly giftNotAllowed: string;
  readonly giftAlreadyAdded: string;
  readonly giftTooMany: string;
  readonly giftClosed: string;
  readonly giftClosedFor: string;
  readonly giftAdded: string;
  readonly giftRemoved: string;
  readonly giftLeft: string;
  readonly keptUntil: string;
  readonly bankShows: string;
  readonly changedTitle: string;
  readonly changed: string;
  readonly busyTitle: string;
  readonly busy: string;
  readonly statedChoose: string;

  readonly processing: string;
  readonly doNotClose: string;
  readonly notSent: string;

  readonly pendingTitle: string;
  readonly pending: string;
  readonly refresh: string;
  readonly authenticationTitle: string;
  readonly authentication: string;
  readonly authenticationButton: string;
  readonly otherCard: string;
  readonly otherCardTry: string;
  readonly noOtherCard: string;
  readonly paidTitle: string;
  readonly paid: string;
  readonly reference: string;
  readonly paidOn: string;
  readonly amount: string;
  readonly refundedTitle: string;
  readonly refunded: string;
  readonly refundedToGift: string;
  readonly refundedAmount: string;
  readonly savedTitle: string;
  readonly saved: string;
  readonly checkedTitle: string;
  readonly checked: string;
  readonly failedTitle: string;
  readonly failed: string;
  readonly failedCancelled: string;
  readonly abortedTitle: string;
  readonly aborted: string;
  readonly abortedByPayerTitle: string;
  readonly abortedByPayer: string;
  readonly expiredTitle: string;
  readonly expired: string;
  readonly unknownTitle: string;
  readonly unknown: string;
  readonly troubleTitle: string;
  readonly trouble: string;
  readonly tryAgain: string;
  readonly backToMerchant: string;
  readonly leavingTitle: string;

  readonly challengeCard: string;
  readonly cancelChallenge: string;

  readonly sandbox: string;
  readonly testCards: string;
  readonly testCardsHint: string;
  readonly useTestCard: string;
  readonly withChallenge: string;
}
