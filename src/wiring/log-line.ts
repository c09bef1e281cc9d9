/** A line of the log, for what is said where no log is open: before a start, and by the process that starts others. */
export function logLine(level: 'fatal' | 'info', msg: string): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n`;
}
