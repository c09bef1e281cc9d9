import { Trouble } from '../../kit/work/trouble.ts';
import { describeFileFault } from './describe-fault.rules.ts';
import type { FileFault } from './files.types.ts';

/** A file of which nothing is taken. A command prints its message; the portal has words of its own for the fault. */
export class RefusedFile extends Trouble {
  readonly fault: FileFault;

  constructor(fault: FileFault) {
    super(describeFileFault(fault));
    this.fault = fault;
  }
}
