import type { Bug } from './money-bugs.ts';

/** Mistakes that the fuzzer must find. The first one is history: it ended the process of all merchants at the wish of one. */
export const FUZZ_BUGS: readonly Bug[] = [
  {
    name: 'an address with its scheme in capitals is kept so, and the sender takes it for another protocol',
    finding: /the process has ended/,
    patches: [
      {
        file: 'kit/address.js',
        line: '    return href.length <= characters ? href : undefined;\n',
        instead: '    return href.length <= characters ? text : undefined;\n',
      },
      {
        file: 'events/sender.adapter.js',
        line: 'await postTo(url, post, exchange)',
        instead: 'await postTo(post.url, post, exchange)',
      },
      {
        file: 'events/sender.adapter.js',
        line: "        const isSecure = url.protocol === 'https:';\n",
        instead: "        const isSecure = url.startsWith('https:');\n",
      },
    ],
  },
  {
    name: 'a zero byte in a text reaches the database',
    finding: /500: an error that is ours/,
    patches: [
      {
        file: 'http/parse-json.js',
        line: 'const NUL_OR_HALF_PAIR = /[\\0\\ud800-\\udfff]/u;\n',
        instead: 'const NUL_OR_HALF_PAIR = /[\\ud800-\\udfff]/u;\n',
      },
    ],
  },
  {
    name: 'what was written before a refusal is kept',
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
    name: 'a refusal repeats the value that it is about',
    finding: /repeats what was refused/,
    patches: [
      {
        file: 'http/validate.js',
        line: 'problems.push({ name, description: description(error) });',
        instead: 'problems.push({ name, description: description(error) + JSON.stringify(error.data) });',
      },
    ],
  },
  {
    name: 'each request stays in memory',
    finding: /the heap has grown/,
    patches: [
      {
        file: 'http/edge.js',
        line: '    request.edge = state;\n',
        instead: '    request.edge = state;\n    (globalThis.kept ??= []).push(request);\n',
      },
    ],
  },
  {
    name: 'a pattern takes the square of the time that the body is long',
    finding: /stalls the event loop/,
    patches: [
      {
        file: 'http/parse-json.js',
        line: '    if (!isUtf8(body))\n',
        instead:
          "    if (/[^\\0]+\\0$/.test(body.toString()))\n        throw inputError('body', 'must not end with NUL');\n    if (!isUtf8(body))\n",
      },
    ],
  },
];
