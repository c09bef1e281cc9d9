import type { Bug } from '../crash/money-bugs.ts';

/** A mistake, and how the fuzzer finds it where not by a tour. */
export interface FuzzBug extends Bug {
  /** Without it a tour, and 20 000 requests that are drawn: most are found within some hundred. */
  readonly plan?: { readonly tour: boolean; readonly requests: number };
}

/** Mistakes that the fuzzer must find. The first one is history: it ended the process of all merchants at the wish of one. */
export const FUZZ_BUGS: readonly FuzzBug[] = [
  {
    name: 'HTTPS:// in capitals ends the process',
    finding: /the process has ended/,
    patches: [
      {
        file: 'kit/addresses/address.js',
        line: '    return href !== undefined && href.length <= characters ? href : undefined;\n',
        instead: '    return href !== undefined && href.length <= characters ? text : undefined;\n',
      },
      {
        file: 'events/deliveries/sender.adapter.js',
        line: 'await postTo(url, post, exchange)',
        instead: 'await postTo(post.url, post, exchange)',
      },
      {
        file: 'events/deliveries/sender.adapter.js',
        line: "        const isSecure = url.protocol === 'https:';\n",
        instead: "        const isSecure = url.startsWith('https:');\n",
      },
      {
        // An error of a delivery was not caught: neither where it is tried, nor where a webhook is looked after.
        file: 'events/deliveries/deliver.job.js',
        line: "    await background.attempt('deliver-events', async () => {\n",
        instead: '    await (async () => {\n',
      },
      {
        file: 'events/deliveries/deliver.job.js',
        line: '        outcome = { ...sent, answer };\n    });\n',
        instead: '        outcome = { ...sent, answer };\n    })();\n',
      },
      {
        file: 'events/deliveries/deliver.job.js',
        line: "background.attempt('deliver-events', () => deliverAll(context, key, isStopped));",
        instead: 'deliverAll(context, key, isStopped);',
      },
    ],
  },
  {
    name: 'NUL in a text reaches the database',
    finding: /500: an error that is ours/,
    patches: [
      {
        file: 'http/body/parse-json.js',
        line: 'const NUL_OR_HALF_PAIR = /[\\0\\ud800-\\udfff]/u;\n',
        instead: 'const NUL_OR_HALF_PAIR = /[\\ud800-\\udfff]/u;\n',
      },
    ],
  },
  {
    name: 'a refused request keeps what it wrote',
    finding: /a refused request writes/,
    patches: [
      {
        file: 'db/transact.js',
        line: '        await rollBack(connection);\n        throw error;\n',
        instead: '        await commit(connection).catch(() => rollBack(connection));\n        throw error;\n',
      },
    ],
  },
  {
    name: 'a refusal repeats what it refuses',
    finding: /repeats what was refused/,
    patches: [
      {
        file: 'http/body/validate.js',
        line: 'problems.push({ name, description: description(error) });',
        instead: 'problems.push({ name, description: description(error) + JSON.stringify(error.data) });',
      },
    ],
  },
  {
    name: 'texts may hold card numbers',
    finding: /tells a card number|a table has/,
    patches: [
      {
        file: 'http/body/text-keywords.js',
        line: 'return !containsCardNumber(productNumber ? withoutProductNumbers(text) : text, this.prefixes());',
        instead: 'return true;',
      },
    ],
  },
  {
    name: 'each request stays in memory',
    // It is seen at the end alone, so this is all that it takes.
    plan: { tour: false, requests: 4_000 },
    finding: /the heap has grown/,
    patches: [
      {
        file: 'http/edge/arrive.js',
        line: '    request.edge = state;\n',
        instead: '    request.edge = state;\n    (globalThis.kept ??= []).push(request);\n',
      },
    ],
  },
  {
    name: 'a pattern takes the square of the time',
    finding: /stalls the event loop/,
    patches: [
      {
        file: 'http/body/parse-json.js',
        line: '    if (!isUtf8(body))\n',
        instead:
          "    if (/[^\\0]+\\0$/.test(body.toString()))\n        throw inputError('body', 'must not end with NUL');\n    if (!isUtf8(body))\n",
      },
    ],
  },
];
