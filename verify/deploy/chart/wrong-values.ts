import type { Values } from './chart-files.ts';

/**
 * A mistake, its values (added to the minimum values), the message that helm must print, and further arguments for
 * helm.
 */
type WrongValues = [mistake: string, values: Values, message: string, ...args: string[]];

const worker = (name: string, ...queues: string[]) => ({ name, queues });
const allQueues = ['control', 'sandbox', 'video', 'audio', 'image', 'document', 'webhook'];

/** Values that the templates refuse. */
export const wrongValues: WrongValues[] = [
  ['no Secret', { existingSecret: '' }, 'existingSecret: is empty. Create a Secret with KEY_PEPPER and'],
  ['no Temporal', { temporal: { address: '' } }, 'temporal.address: is empty. Set it to host:port'],
  [
    'no namespace of Temporal',
    { temporal: { namespace: '' } },
    'temporal.namespace: is empty. Set it to the name of a',
  ],
  ['no store', { objectStore: { type: '' } }, 'objectStore.type: is empty. Set it to azure or s3.'],
  [
    'no bucket',
    { objectStore: { s3: { bucket: '' } } },
    'objectStore.s3.bucket: is empty. Set it to the name of a bucket',
  ],
  [
    'no account',
    { objectStore: { type: 'azure', azure: { container: 'media' } } },
    'objectStore.azure.account: is empty. Set',
  ],
  [
    'no container',
    { objectStore: { type: 'azure', azure: { account: 'one' } } },
    'objectStore.azure.container: is empty. Set',
  ],
  [
    'half of a second store',
    { objectStore: { azure: { account: 'one' } } },
    'objectStore.azure.container: is empty. Set',
  ],
  [
    'a store without TLS',
    { objectStore: { s3: { endpoint: 'http://minio:9000' } } },
    'objectStore.s3.endpoint: is http://minio:9000. Set an address that begins with https://',
  ],
  [
    'an endpoint without a bucket',
    {
      objectStore: {
        type: 'azure',
        azure: { account: 'one', container: 'media' },
        s3: { bucket: '', endpoint: 'https://s3' },
      },
    },
    'objectStore.s3.bucket: is empty, but objectStore.s3.endpoint is set. Set both or neither.',
  ],
  [
    'an identity that nobody has',
    { objectStore: { type: 'azure', azure: { account: 'one', container: 'media', credentials: 'identity' } } },
    'Set serviceAccount.annotations."azure.workload.identity/client-id"',
  ],
  [
    'half of a client certificate',
    { redis: { tls: { existingSecret: 'a', certKey: 'tls.crt' } } },
    'redis.tls.privateKeyKey: is empty, but redis.tls.certKey is set. Set both',
  ],
  [
    'the other half',
    { temporal: { tls: { enabled: true, existingSecret: 'a', privateKeyKey: 'tls.key' } } },
    'temporal.tls.certKey: is empty, but temporal.tls.privateKeyKey is set. Set both',
  ],
  [
    'a client certificate without a Secret',
    { redis: { tls: { certKey: 'tls.crt', privateKeyKey: 'tls.key' } } },
    'redis.tls.existingSecret: is empty, but redis.tls.certKey is set. Set it to',
  ],
  [
    'certificates without TLS',
    { temporal: { tls: { existingSecret: 'a', caKey: 'ca.crt' } } },
    'temporal.tls.enabled: is false, but temporal.tls.existingSecret is set. Set temporal.tls.enabled to true.',
  ],
  [
    'a server name without TLS',
    { temporal: { tls: { serverName: 'a' } } },
    'temporal.tls.enabled: is false, but temporal.tls.serverName is set. Set temporal.tls.enabled to true.',
  ],
  [
    'a Secret of which nothing is used',
    { temporal: { tls: { enabled: true, existingSecret: 'a' } } },
    'temporal.tls.caKey: is empty, and so is temporal.tls.certKey. Set the keys',
  ],
  [
    'a CA without a Secret',
    { temporal: { tls: { enabled: true, caKey: 'ca.crt' } } },
    'temporal.tls.existingSecret: is empty, but temporal.tls.caKey is set. Set it to',
  ],
  [
    'a queue that nobody serves',
    { workers: [worker('all', ...allQueues.filter((queue) => queue !== 'audio'))] },
    'workers: no entry serves the queue audio, so its work would wait forever. Add audio to',
  ],
  [
    'two workers of one name',
    { workers: [worker('one', ...allQueues), worker('one', 'video')] },
    'workers: two entries have the name one. Set a different name for each.',
  ],
  [
    'a range without numbers',
    { api: { autoscaling: { minReplicas: 9 } } },
    'api.autoscaling.maxReplicas: 6 is less than minReplicas. Set it to at least 9.',
  ],
  [
    'a range without numbers, for a worker',
    { workers: [{ ...worker('all', ...allQueues), autoscaling: { minReplicas: 9 } }] },
    'workers[all].autoscaling.maxReplicas: 5 is less than minReplicas. Set it to at least 9.',
  ],
  [
    'KEDA over TLS without credentials',
    { temporal: { tls: { enabled: true } }, workerDefaults: { autoscaling: { type: 'keda' } } },
    'Set temporal.apiKey.enabled or temporal.tls.certKey, or set autoscaling.type to cpu.',
  ],
  ['a drain that is cut short', { api: { drainSeconds: 60 } }, 'Set api.terminationGracePeriodSeconds to at least 80.'],
  [
    'an ingress without a host',
    { ingress: { enabled: true } },
    'ingress.host: is empty. Set it to the host name of the API, or set ingress.enabled to false.',
  ],
  [
    'a secret in config',
    { config: { DATABASE_URL: 'postgres://db/assay' } },
    'config.DATABASE_URL: cannot be set here. Set database.existingSecret.',
  ],
  [
    'a misspelt variable',
    { config: { LOGLEVEL: 'info' } },
    'config.LOGLEVEL: is not a setting of Assay. Set one of the variables in docs/operate/configuration.md',
  ],
  [
    'a setting among the further variables',
    { extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] },
    'extraEnv: LOG_LEVEL cannot be set here. Set config.LOG_LEVEL.',
  ],
  [
    'bubblewrap on an old cluster',
    { jail: { level: 'bubblewrap' } },
    'jail.level: bubblewrap needs Kubernetes 1.33 or later, and this cluster has v1.32.0. Set jail.level to auto.',
    '--kube-version',
    '1.32.0',
  ],
];

/** Values that values.schema.json refuses. The message has the path of the value and what it may be. */
export const wrongTypes: WrongValues[] = [
  ['a misspelt setting', { api: { replica: 2 } }, "additional properties 'replica' not allowed"],
  ['a misspelt section', { worker: {} }, "additional properties 'worker' not allowed"],
  ['an unknown store', { objectStore: { type: 'tape' } }, "value must be one of '', 'azure', 's3'"],
  ['an unknown jail', { jail: { level: 'on' } }, "value must be one of 'auto', 'landlock', 'bubblewrap', 'off'"],
  ['an unknown queue', { workers: [worker('all', 'vidoe')] }, '(control|sandbox|video|audio|image|document|webhook)'],
  ['no number at once', { workers: [worker('all', 'video:0')] }, '(:[1-9][0-9]*)?$'],
  ['text instead of a number', { api: { replicas: 'two' } }, 'got string, want integer'],
  ['no API', { api: { replicas: 0 } }, 'minimum: got 0, want 1'],
  ['no worker', { workers: [] }, 'minItems: got 0, want 1'],
  ['workers that can all stop', { workerDefaults: { autoscaling: { minReplicas: 0 } } }, 'minimum: got 0, want 1'],
  ['an address without a port', { temporal: { address: 'temporal' } }, "'temporal' does not match pattern"],
  ['an unknown log level', { config: { LOG_LEVEL: 'loud' } }, "value must be one of 'fatal', 'error', 'warn', 'info'"],
  ['a retention that is no number', { config: { KEEP_MEDIA_DAYS: 'soon' } }, "at '/config/KEEP_MEDIA_DAYS'"],
  ['a broken digest', { images: { api: { digest: 'latest' } } }, 'sha256:[0-9a-f]{64}'],
];
