/** Where a request stands in a trace that spans several systems (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits: of the whole trace, chosen by the program that began it. */
  readonly traceId: string;
  /** 16 hexadecimal digits: names our part of it, and so is the parent of what we call. */
  readonly spanId: string;
  /** Whether the caller may have recorded its part. */
  readonly isSampled: boolean;
}

/** The `traceparent` header of an outgoing call: we are its parent. Of the flags, only those we know are passed on (section 4.3). */
export function traceparentOf({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}
