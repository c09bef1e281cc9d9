import { parseMessage } from './message-form.rules.ts';
import type { DirectoryLine, TraceThreeDS } from './three-ds.types.ts';
import { tracedThreeDS } from './traced-messages.rules.ts';

/** The line to directory servers, with its messages told both ways. */
export function tracedLine(line: DirectoryLine, trace: TraceThreeDS): DirectoryLine {
  return {
    async ask(server, message, mostBytes) {
      const passed = { scheme: server.scheme, site: new URL(server.url).host };
      trace(tracedThreeDS({ ...passed, isOurs: true, message }));
      const text = await line.ask(server, message, mostBytes);
      // What answers an error is mostly nothing.
      if (text !== undefined && text.trim() !== '') {
        trace(tracedThreeDS({ ...passed, isOurs: false, message: parseMessage(text) }));
      }
      return text;
    },
  };
}
