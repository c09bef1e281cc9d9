/**
 * A user of the service while others attack it, who asks for one address again and again, on one connection, from a
 * thread of its own, so that the attacker's work does not count as the service's.
 */
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers, localAddress, pauseMs } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
const milliseconds = [];
const failures = [];
let isOver = false;

function ask() {
  return new Promise((resolve) => {
    const begun = performance.now();
    const fail = (reason) => {
      failures.push(reason);
      resolve();
    };
    const request = get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        milliseconds.push(performance.now() - begun);
        if (answer.statusCode === 200) resolve();
        else fail(String(answer.statusCode));
      });
      answer.on('error', (error) => fail(error.message));
    });
    request.on('error', (error) => fail(error.message));
  });
}

// The first answers of a new service take longer, for all users.
for (let asked = 0; asked < 50; asked++) await ask();
milliseconds.length = 0;
parentPort.postMessage('begun');
parentPort.once('message', () => {
  isOver = true;
});
while (!isOver) {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
agent.destroy();
milliseconds.sort((one, other) => one - other);
const p99 = milliseconds[Math.ceil(milliseconds.length * 0.99) - 1] ?? 0;
parentPort.postMessage({ asked: milliseconds.length, p99, failures });
