/** People write an address with capitals or without. */
export function comparableEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Whether another address is the same. */
export function sameEmailAs(email: string): (text: string) => boolean {
  const wanted = comparableEmail(email);
  return (text) => comparableEmail(text) === wanted;
}
