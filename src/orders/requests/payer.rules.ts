import type { OrderPayer, SentAddress, SentPayer } from './new-order.types.ts';

/** A number with its country, however it is grouped. */
const PHONE = /^\+?[0-9]{5,15}$/;
const GROUPING = /[\s().-]/g;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/;
const COUNTRY = /^[A-Za-z]{2}$/;
/** Characters of a postal code: the longest have ten. */
const ZIP_CODE_CHARACTERS = 16;

/**
 * What is kept of a payer. A telephone number, mail address or country that is none is left out and refuses nothing: shops pass on
 * what their customers type.
 *
 * @returns undefined where nothing is left
 */
export function readPayer(sent: SentPayer | undefined): OrderPayer | undefined {
  if (sent === undefined) return undefined;
  const { payerReference: _, shippingAddress, billingAddress, ...person } = sent;
  const payer: OrderPayer = {
    ...contact(person),
    ...place('shippingAddress', shippingAddress),
    ...place('billingAddress', billingAddress),
  };
  return Object.keys(payer).length === 0 ? undefined : payer;
}

function place(name: 'shippingAddress' | 'billingAddress', sent: SentAddress | undefined) {
  if (sent === undefined) return {};
  const { countryCode, zipCode, ...others } = contact(sent);
  const kept = {
    ...others,
    ...(zipCode !== undefined && zipCode.length <= ZIP_CODE_CHARACTERS && { zipCode }),
    ...(countryCode !== undefined && COUNTRY.test(countryCode) && { countryCode: countryCode.toUpperCase() }),
  };
  return Object.keys(kept).length === 0 ? {} : { [name]: kept };
}

function contact<Sent extends { readonly email?: string; readonly msisdn?: string }>({
  email,
  msisdn,
  ...others
}: Sent) {
  const phone = msisdn?.replace(GROUPING, '');
  return {
    ...others,
    ...(email !== undefined && EMAIL.test(email) && { email }),
    ...(phone !== undefined && PHONE.test(phone) && { msisdn: phone }),
  };
}
