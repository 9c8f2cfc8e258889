import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Preloaded into the service. Measures how long the event loop was busy without a pause, in CPU time of its thread:
// time in which a busy machine did not run the thread does not count.

const tickMillis = 2;

const cpuMillis = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let longestMillis = 0;
let lastTickMillis = cpuMillis();

// Runs after every turn of the loop that takes longer than a tick, so the CPU time between two ticks is that turn's.
const tick = () => {
  const now = cpuMillis();
  longestMillis = Math.max(longestMillis, now - lastTickMillis);
  lastTickMillis = now;
};
setInterval(tick, tickMillis).unref();

/** Answers with the longest busy time since the previous request. */
const server = createServer((_request, response) => {
  tick();
  response.end(JSON.stringify(longestMillis));
  longestMillis = 0;
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ msg: 'probe is up', url: `http://127.0.0.1:${port}` }));
});
server.unref();
