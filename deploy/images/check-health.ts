// The health check of both images: exits with 0 if the process of this container is ready.

const { API_PORT, WORKER_METRICS_PORT } = process.env;
const port = process.argv[2] === 'worker' ? WORKER_METRICS_PORT || '9465' : API_PORT || '8080';
const { ok, status } = await fetch(`http://127.0.0.1:${port}/readyz`);
if (!ok) {
  console.error(`/readyz answers ${status}`);
  process.exitCode = 1;
}
