/**
 * The load generator, in a process of its own: asks one server for tokens for some seconds. Each connection begins at
 * another token, so that the connections do not ask for the same one at the same time.
 */
import autocannon from 'autocannon';

process.once('message', async ({ baseUrl, accessToken, paths, connections, seconds }) => {
  let next = 0;
  const result = await autocannon({
    url: baseUrl,
    connections,
    duration: seconds,
    // The service closes a connection after 1 000 requests; both that are compared are asked alike.
    reconnectRate: 999,
    headers: { authorization: `Bearer ${accessToken}` },
    setupClient(client) {
      const start = Math.floor((paths.length / connections) * next++);
      client.setRequests([...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ method: 'GET', path })));
    },
  });
  const { requests, latency, errors, timeouts, non2xx } = result;
  process.send({
    perSecond: requests.average,
    p99Ms: latency.p99,
    failed: errors + timeouts + non2xx,
  });
  process.disconnect();
});
