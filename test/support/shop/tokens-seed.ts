/**
 * A seed for a random test: another one for each run, or the one in `TEST_SEED`, to run a failure again. Print it
 * where the test fails.
 */
export function testSeed(): number {
  const given = process.env['TEST_SEED'];
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}
