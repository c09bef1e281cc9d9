import fc from 'fast-check';

/** Properties draw what `TEST_SEED` says, where it is set, or else other values in each run. */
const seed = process.env['TEST_SEED'];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
