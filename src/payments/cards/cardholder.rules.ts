import type { Cardholder } from '../payments.types.ts';

/** How a payer is reached, and where their bill goes. */
export function contactOf(cardholder: Cardholder | undefined) {
  const text = (name: string) => (typeof cardholder?.[name] === 'string' ? { [name]: cardholder[name] } : {});
  const address = cardholder?.['billingAddress'];
  const inAddress = typeof address === 'object' ? address : {};
  const { streetAddress: street, coAddress: careOf, zipCode: postalCode, city, countryCode: country } = inAddress;
  const billing = { street, careOf, postalCode, city, country };
  return {
    contact: { ...text('email'), ...text('msisdn') },
    billing: Object.fromEntries(Object.entries(billing).filter(([, value]) => value !== undefined)),
  };
}

/** What an acquirer compares with the address of the card; undefined where nothing of it is known. */
export function billingOf(cardholder: Cardholder | undefined) {
  const { street, postalCode } = contactOf(cardholder).billing;
  if (street === undefined && postalCode === undefined) return undefined;
  return { ...(street !== undefined && { street }), ...(postalCode !== undefined && { postalCode }) };
}
