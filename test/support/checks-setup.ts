import { compileCheck } from '../../src/http/body/compile-checks.ts';
import { makeChecksWith } from '../../src/http/body/validate.ts';

// Tests run the sources, and there need be no build of these. What the build writes is compared in `built-checks.test.ts`.
makeChecksWith(compileCheck);
