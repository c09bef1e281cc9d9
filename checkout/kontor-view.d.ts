/**
 * What the view script defines, for shops that write TypeScript. The script is loaded from the address of the operation
 * `view-authorization` or `view-verification`; this file says what it is: `/// <reference types="kontor/view" />`.
 */
declare namespace kontor {
  const hostedView: {
    /** Makes the view of the payment whose script was loaded last. Nothing is shown until `open`. */
    creditCard(options: ViewOptions): View;
    /** Makes the view of the payment order whose script was loaded last; without options, the one that was made last. */
    checkout(options: CheckoutOptions): CheckoutView;
    checkout(): CheckoutView | undefined;
    /** The same with the handlers of version 2.0. */
    paymentMenu(options: PaymentMenuOptions): CheckoutView;
    paymentMenu(): CheckoutView | undefined;
  };

  interface View {
    /** Shows the payment in the container. Where it is open already, nothing happens. */
    open(): void;
    /**
     * Takes it away, and gives the focus back to what had it. The payment stays as it is; while a card is tried, handlers
     * are still told what comes of it.
     */
    close(): void;
    /** Loads the payment again. Where it is not open, nothing happens. */
    refresh(): void;
  }

  interface CheckoutView extends View {
    /** Loads the order again, after it was changed. */
    update(): void;
    /** Aborts the order as its payer. Where it is being paid, nothing happens. */
    cancel(): void;
    /** Answers `onPaymentButtonPressed`: whether the payer may pay. */
    resume(answer: { readonly paymentOrderId?: string; readonly confirmation: boolean }): void;
  }

  /** A handler that is given replaces what the view does by itself. */
  interface CheckoutOptions extends Pick<ViewOptions, 'culture' | 'style'> {
    /** The element to show the order in, or its id. */
    readonly container: string | HTMLElement | { readonly checkout: string };
    readonly onCheckoutLoaded?: (event: CheckoutEvent) => void;
    /** The page has another height: the view has made its frame as high. */
    readonly onCheckoutResized?: (event: CheckoutEvent & { readonly bodyHeight: number }) => void;
    readonly onInstrumentSelected?: (event: InstrumentEvent) => void;
    /** Where it is given, Pay waits for `resume`, two minutes at most, then as a no: nothing was done. */
    readonly onPaymentButtonPressed?: (event: InstrumentEvent) => void;
    readonly onPaymentAttemptStarted?: (event: InstrumentEvent) => void;
    /** A card was declined, and the payer may try another one. */
    readonly onPaymentAttemptFailed?: (event: CheckoutEvent & { readonly details: string }) => void;
    /** The payer has left a try, as at the bank. */
    readonly onPaymentAttemptAborted?: (event: CheckoutEvent & { readonly details: string }) => void;
    /** Without a handler the browser goes to the `completeUrl`. */
    readonly onPaid?: (event: CheckoutEvent & { readonly redirectUrl?: string }) => void;
    /** It can not be paid any more. Without a handler the browser goes where it is led. */
    readonly onAborted?: (event: CheckoutEvent & { readonly redirectUrl?: string }) => void;
    /** Without a handler they open in a window of their own. */
    readonly onTermsOfServiceRequested?: (event: CheckoutEvent & { readonly termsOfServiceUrl: string }) => void;
    /** Taken, and never called: no means of payment here leaves the view. */
    readonly onOutOfViewOpen?: (event: CheckoutEvent) => void;
    readonly onOutOfViewRedirect?: (event: CheckoutEvent) => void;
    readonly onError?: (event: CheckoutEvent & { readonly details: string }) => void;
    /** Every one of these, before its own handler. */
    readonly onEventNotification?: (event: CheckoutEvent & { readonly sourceEvent: string }) => void;
  }

  interface CheckoutEvent {
    /** The handler's name. */
    readonly event: string;
    readonly paymentOrder: { readonly id?: string };
  }

  interface InstrumentEvent extends CheckoutEvent {
    readonly instrument: 'CreditCard' | 'GiftCard';
  }

  interface PaymentMenuOptions extends Omit<ViewOptions, 'container' | 'onPaymentCompleted'> {
    readonly container: CheckoutOptions['container'];
    readonly onPaymentMenuInstrumentSelected?: (event: {
      readonly id?: string;
      readonly instrument: 'CreditCard' | 'GiftCard';
    }) => void;
    /** Paid: by gift cards alone, or also by card. Without a handler the browser goes to the `completeUrl`. */
    readonly onPaymentCompleted?: (event: PaidEvent) => void;
    /** Called with `onPaymentCreated`. */
    readonly onApplicationConfigured?: (event: PaymentEvent) => void;
    /** Taken, and never called: no means of payment here leaves the view. */
    readonly onExternalRedirect?: (event: PaymentEvent) => void;
  }

  interface ViewOptions {
    /** The element to show the payment in, or its id. */
    readonly container: string | HTMLElement;
    /** The language, such as `sv-SE`: the payment's own where there is none. */
    readonly culture?: string;
    readonly style?: ViewStyle;
    /** The payment can be paid now. */
    readonly onPaymentCreated?: (event: PaymentEvent) => void;
    /** An outcome is not known yet: the view waits, and tells what it comes to. */
    readonly onPaymentPending?: (event: RedirectEvent) => void;
    /** Paid. Without a handler the browser goes to the `completeUrl`. */
    readonly onPaymentCompleted?: (event: RedirectEvent) => void;
    /** The payer does not want to pay. Without a handler the browser goes to the `cancelUrl`. */
    readonly onPaymentCanceled?: (event: RedirectEvent) => void;
    /** Can not be paid any more. Without a handler the browser goes to the `completeUrl`. */
    readonly onPaymentFailed?: (event: RedirectEvent) => void;
    /** A card was declined, and the payer may try another one. */
    readonly onPaymentTransactionFailed?: (event: DetailsEvent) => void;
    /** The payer wants to read the terms of service. Without a handler they open in a window of their own. */
    readonly onPaymentToS?: (event: TermsEvent) => void;
    /** Something went wrong: the container is not there, or the page did not load. */
    readonly onError?: (event: DetailsEvent) => void;
  }

  /** Colours (`#rrggbb`, `rgb()` or a name) and a length; what is anything else is left out. */
  interface ViewStyle {
    readonly accent?: string;
    readonly accentText?: string;
    readonly background?: string;
    readonly text?: string;
    readonly radius?: string;
  }

  interface PaymentEvent {
    /** The payment, such as `/psp/creditcard/payments/…`; absent where the page never loaded. */
    readonly id?: string;
    readonly instrument: 'CreditCard';
  }

  interface RedirectEvent extends PaymentEvent {
    /** Where the browser goes without a handler; absent where the payment names no such address. */
    readonly redirectUrl?: string;
  }

  interface PaidEvent extends Omit<RedirectEvent, 'instrument'> {
    readonly instrument: 'CreditCard' | 'GiftCard';
  }

  interface DetailsEvent extends PaymentEvent {
    /** In words: the payer's, for a card; a developer's, for an error. */
    readonly details: string;
  }

  interface TermsEvent extends PaymentEvent {
    readonly origin: 'merchant';
    readonly openUrl: string;
  }
}
