import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prefixes } from '@assay/contract/route.ts';
import { installPackages } from '@assay/stack/install-packages.ts';
import { cacheDir } from '@assay/stack/instance.ts';
import { versionInSetup } from '@assay/stack/versions.ts';
import { openTcpProxy } from '@assay/testing/faults/tcp-proxy.ts';
import { cachedSync } from '@assay/testing/run/cached.ts';
import { liftedLimits, openTestApi } from '@assay/testing/service/api.ts';
import { afterAll, expect, test } from 'vitest';
import { runAsDotNet } from './dotnet.ts';

const secondsMax = 240; // the first run compiles net/http

/** The Java and PHP clients run only in a nightly suite, because they need packages that `./setup` leaves out. */
const runsAllClients = process.env.REAL_CLIENTS === 'all';
if (runsAllClients) installPackages('default-jdk-headless', 'php-cli', 'php-curl');

type Step = 'upload' | 'submit' | 'read' | 'fire' | 'cancel' | 'retry';
type Client = {
  name: string;
  needsMore?: true;
  /** Performs every step and resolves with the file name that the client read. */
  run(url: string, key: string, file: string): Promise<string>;
  /** The headers that the client, not the test, adds to each request, such as type and length. */
  sends: Record<Step, string>;
  /** How the client encodes the file name. */
  disposition: string;
};

const filename = 'Café – ä; 50%.txt';
const quotedDisposition = `form-data; name="file"; filename="${filename}"`;
const pythonProgram = join(
  cacheDir,
  `python-clients-${versionInSetup('REQUESTS_VERSION')}-${versionInSetup('HTTPX_VERSION')}`,
  'bin/python',
);

const sentByPython: Client['sends'] = {
  upload: 'multipart/form-data, some length',
  submit: 'application/json, some length',
  read: 'accepts gzip',
  fire: 'application/json, some length',
  cancel: 'length 0',
  retry: 'length 0',
};

const everyClient: Client[] = [
  {
    name: 'curl',
    run: program('bash', 'curl.sh'),
    sends: {
      upload: 'multipart/form-data, some length, 100-continue',
      submit: 'application/json, some length',
      read: 'accepts gzip',
      fire: 'application/x-www-form-urlencoded, some length',
      cancel: '',
      retry: 'application/x-www-form-urlencoded, length 0',
    },
    disposition: quotedDisposition,
  },
  {
    name: 'Python requests',
    run: program(pythonProgram, 'python-client.py', 'requests'),
    sends: sentByPython,
    disposition: quotedDisposition,
  },
  {
    name: 'Python httpx',
    run: program(pythonProgram, 'python-client.py', 'httpx'),
    sends: sentByPython,
    disposition: quotedDisposition,
  },
  {
    name: 'Java’s HttpClient',
    needsMore: true,
    run: (...args) => program('java', '-XX:TieredStopAtLevel=1', '-cp', compiledJava(), 'JavaClient')(...args),
    sends: {
      upload: 'multipart/form-data, some length, h2c',
      submit: 'some length, h2c',
      read: 'length 0, h2c',
      fire: 'application/json, some length, h2c',
      cancel: 'length 0, h2c',
      retry: 'length 0, h2c',
    },
    disposition: quotedDisposition,
  },
  {
    name: 'Go’s net/http',
    run: (...args) => program(compiledGo())(...args),
    sends: {
      upload: 'multipart/form-data, chunked',
      submit: 'application/json, some length',
      read: 'accepts gzip',
      fire: 'application/json, some length',
      cancel: 'length 0',
      retry: 'application/json, length 0',
    },
    disposition: quotedDisposition,
  },
  {
    name: 'PHP’s curl',
    needsMore: true,
    run: program('php', 'php-curl.php'),
    sends: {
      upload: 'multipart/form-data, some length, 100-continue',
      submit: 'application/json, some length',
      read: 'accepts gzip',
      fire: 'application/x-www-form-urlencoded, some length',
      cancel: 'application/x-www-form-urlencoded, chunked, 100-continue',
      retry: 'application/x-www-form-urlencoded, length 0',
    },
    disposition: quotedDisposition,
  },
  {
    name: '.NET’s HttpClient, imitated byte by byte,',
    run: runAsDotNet,
    sends: {
      upload: 'multipart/form-data, some length',
      submit: 'text/plain; charset=utf-8, some length',
      read: '',
      fire: 'application/json; charset=utf-8, chunked',
      cancel: 'text/plain; charset=utf-8, length 0',
      retry: 'length 0',
    },
    disposition:
      'form-data; name=file; filename="=?utf-8?B?Q2Fmw6kg4oCTIMOkOyA1MCUudHh0?="; ' +
      "filename*=utf-8''Caf%C3%A9%20%E2%80%93%20%C3%A4%3B%2050%25.txt",
  },
];

const clients = everyClient.filter(({ needsMore }) => runsAllClients || !needsMore);

const api = await openTestApi(liftedLimits); // no worker: a submission can be cancelled, and its asset retried
const { sandboxKey } = await api.makeWorkspace();
const folder = mkdtempSync(join(tmpdir(), 'assay-real-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, filename);
writeFileSync(file, 'A line of text.\n'.repeat(80_000)); // over 1 MiB, so that curl sends `Expect: 100-continue`

test.each(clients)(
  '$name uploads, submits, fires events and retries, and its file name is returned unchanged (§2.3)',
  { timeout: secondsMax * 1000 },
  async ({ run, sends, disposition }) => {
    const recorder = await openRecordingProxy();
    expect(await run(`${recorder.url}${prefixes[0]}`, sandboxKey, file)).toBe(filename);
    const { sent, received } = recorder.close();
    expect(statusesIn(received)).toEqual([201, 201, 200, 200, 202, 202]); // one for each step
    const [, submissionId] = /GET \S+\/submissions\/(\S+) /.exec(sent) ?? [];
    const { body } = await api.client(sandboxKey).get(`/submissions/${submissionId}`);
    expect(body).toMatchObject({
      metadata: { description: 'ä'.repeat(1500) },
      assets: [{ filename, status: 'submitted', retryCount: 1 }],
    });
    expect(describeRequests(sent)).toEqual(sends);
    expect(/^Content-Disposition: (.*)\r$/m.exec(sent)?.[1]).toBe(disposition);
  },
);

const sourceOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** The folder with the compiled Java client. A newer Java runs the same classes with its own HttpClient. */
function compiledJava(): string {
  return cachedSync('real-clients', '', sourceOf('JavaClient.java'), (folder) =>
    execFileSync('javac', ['-d', folder, 'JavaClient.java'], { cwd: import.meta.dirname }),
  );
}

/** The compiled Go client, which contains the net/http of this version of Go. */
function compiledGo(): string {
  const version = execFileSync('go', ['version'], { encoding: 'utf8' });
  return cachedSync('real-clients', '', [version, sourceOf('go-client.go')], (file) =>
    execFileSync('go', ['build', '-o', file, 'go-client.go'], {
      cwd: import.meta.dirname,
      env: { ...process.env, CGO_ENABLED: '0' }, // as in ./setup, so that the packages are cached
    }),
  );
}

/** Runs a client’s program from this folder. */
function program(command: string, ...args: string[]): Client['run'] {
  return async (url, key, path) => {
    const { stdout } = await promisify(execFile)(command, [...args, url, path], {
      cwd: import.meta.dirname,
      timeout: secondsMax * 1000,
      env: {
        ...process.env,
        ASSAY_KEY: key,
        LC_ALL: 'C.UTF-8', // otherwise Java reads file names as ASCII
        NO_PROXY: '*',
        no_proxy: '*',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    return stdout.trimEnd();
  };
}

/** A proxy to the API that records requests and responses. */
async function openRecordingProxy() {
  const sent: Buffer[] = [];
  const received: Buffer[] = [];
  const proxy = await openTcpProxy(new URL(api.url), (near, far) => {
    near.on('data', (piece: Buffer) => sent.push(piece));
    far.on('data', (piece: Buffer) => received.push(piece));
    near.pipe(far).pipe(near);
  });
  return {
    url: `http://${proxy.address}`,
    close() {
      proxy.close();
      return { sent: Buffer.concat(sent).toString(), received: Buffer.concat(received).toString('latin1') };
    },
  };
}

/** The statuses of all responses except `100 Continue`. */
function statusesIn(received: string): number[] {
  const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return statuses.filter((status) => status !== 100);
}

function describeRequests(sent: string): Record<Step, string> {
  const heads = sent.match(/(?:GET|POST) \/\S+ HTTP\/1\.1\r\n(?:.+\r\n)+/g) ?? [];
  const of = (requestLine: RegExp) => describeHead(heads.filter((head) => requestLine.test(head)));
  return {
    upload: of(/^POST \S+\/uploads\/direct /),
    submit: of(/^POST \S+\/submissions /),
    read: of(/^GET \S+\/submissions\/[^/]+ /),
    fire: of(/^POST \S+\/sandbox\/events\/fire /),
    cancel: of(/^POST \S+\/cancel /),
    retry: of(/^POST \S+\/retry /),
  };
}

function describeHead([head, ...others]: string[]): string {
  if (!head || others.length > 0) throw new Error(`${head ? others.length + 1 : 0} requests instead of 1`);
  const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1];
  const type = header('content-type')?.replace(/; boundary=.*/, '');
  const length = header('content-length')?.replace(/^0$/, 'length 0').replace(/^\d+$/, 'some length');
  const accepts = head.startsWith('GET') && header('accept-encoding')?.includes('gzip') && 'accepts gzip';
  const rest = ['transfer-encoding', 'expect', 'upgrade'].map(header);
  return [type, length, ...rest, accepts].filter(Boolean).join(', ');
}
