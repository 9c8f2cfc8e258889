import { createRandom } from '@assay/testing/run/random.ts';
import type { Values } from './chart-files.ts';

const queues = ['control', 'sandbox', 'video', 'audio', 'image', 'document', 'webhook'];

/** Valid values that combine the options of the chart at random; the same for the same seed. */
export function generateValues(seed: number): Values {
  const random = createRandom(seed);
  const oneOf = <T>(...choices: T[]) => random.pick(choices);
  const maybe = (values: Values) => (random.fraction() < 0.5 ? values : {});
  const number = random.between;

  const azure = {
    account: 'examplemedia',
    container: 'media',
    credentials: oneOf('secret', 'identity'),
    ...maybe({ publicUrl: 'https://media.example.com' }),
    ...maybe({ existingSecret: 'blob', accountKeyKey: 'account-key' }),
  };
  const s3 = {
    bucket: 'media',
    credentials: oneOf('secret', 'identity'),
    ...maybe({ region: 'eu-central-1' }),
    ...maybe({ endpoint: 'https://s3.example.com:9000', forcePathStyle: oneOf('true', 'false') }),
    ...maybe({ existingSecret: 's3', accessKeyIdKey: 'id', secretAccessKeyKey: 'secret' }),
  };
  const store = oneOf('azure', 's3');
  const clientCertificate = { certKey: 'tls.crt', privateKeyKey: 'tls.key' };
  const temporalTls = oneOf<Values>(
    { enabled: false },
    { enabled: true, existingSecret: 'temporal-tls', ...clientCertificate },
    { enabled: true, existingSecret: 'temporal-tls', caKey: 'ca.crt', serverName: 'temporal', ...clientCertificate },
  );
  const scheduling = () => ({
    ...maybe({ nodeSelector: { 'kubernetes.io/arch': 'arm64' } }),
    ...maybe({ tolerations: [{ key: 'dedicated', operator: 'Exists' }] }),
    ...maybe({ priorityClassName: 'high' }),
    ...maybe({ podAnnotations: { 'example.com/team': 'media' }, podLabels: { team: 'media' } }),
    ...maybe({ podDisruptionBudget: { enabled: oneOf(true, false), maxUnavailable: oneOf<unknown>(1, '25%') } }),
  });
  const worker = (name: string, own: string[]) => ({
    name,
    queues: own.map((queue) => oneOf(queue, `${queue}:${number(1, 3)}`)),
    ...maybe({ replicas: number(1, 4) }),
    ...maybe({
      autoscaling: { type: oneOf('none', 'cpu', 'keda'), minReplicas: number(1, 2), maxReplicas: number(2, 9) },
    }),
    ...maybe({ scratch: oneOf<Values>({ sizeLimit: '20Gi' }, { storageClassName: 'fast' }) }),
    ...maybe({ resources: { requests: { cpu: '1' }, limits: { memory: '4Gi', 'ephemeral-storage': '30Gi' } } }),
    ...scheduling(),
  });
  const first = number(1, queues.length);
  const groups = [queues.slice(0, first), queues.slice(first)].filter((group) => group.length > 0);

  return {
    existingSecret: 'assay',
    ...maybe({ fullnameOverride: 'media-checks' }),
    images: {
      ...maybe({ registry: 'registry.example.com/tools' }),
      ...maybe({ pullSecrets: ['pull'] }),
      ...maybe({ api: { tag: '0.0.9' } }),
    },
    config: {
      ...maybe({ LOG_LEVEL: oneOf('debug', 'warn') }),
      ...maybe({ RATE_LIMITS: { pro: { upload: 200 } }, STORAGE_QUOTAS: { pro: { GiB: 2000, files: null } } }),
      ...maybe({ KEEP_MEDIA_DAYS: number(1, 90), TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1' }),
      ...maybe({ WEBHOOK_ALLOWED_CIDRS: '10.20.0.0/16, 10.30.0.1, 2001:db8::1' }),
    },
    database: {
      ...maybe({ existingSecret: 'db', urlKey: 'url' }),
      ...maybe({ migration: { existingSecret: 'db-owner', urlKey: 'uri' } }),
      ...maybe({ tls: { existingSecret: 'db-ca' } }),
    },
    redis: maybe({ tls: { existingSecret: 'redis-tls', ...maybe(clientCertificate) } }),
    temporal: {
      address: 'temporal.example.com:7233',
      namespace: 'assay',
      ...maybe({ queuePrefix: 'blue-' }),
      apiKey: maybe({ enabled: true, existingSecret: 'temporal-key', key: 'key' }),
      tls: temporalTls,
    },
    objectStore: {
      type: store,
      ...(store === 'azure' ? { azure, ...maybe({ s3 }) } : { s3, ...maybe({ azure }) }),
      ...maybe({ ca: { existingSecret: 'store-ca' } }),
    },
    serviceAccount: {
      create: oneOf(true, false),
      annotations: { 'azure.workload.identity/client-id': '00000000-0000-0000-0000-000000000000' },
    },
    api: {
      replicas: number(1, 4),
      ...maybe({ autoscaling: { enabled: true } }),
      ...maybe({ service: { type: 'LoadBalancer', port: 443, annotations: { 'example.com/internal': 'true' } } }),
      ...scheduling(),
    },
    workers: groups.map((group, i) => worker(`group-${i}`, group)),
    jail: { level: oneOf<unknown>('auto', 'landlock', 'bubblewrap', 'off', false) },
    migration: { enabled: oneOf(true, true, false) },
    ingress: maybe({ enabled: true, host: 'assay.example.com', className: 'nginx', ...maybe({ tlsSecret: 'tls' }) }),
    networkPolicy: {
      enabled: oneOf(true, true, false),
      ...maybe({ apiFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] }),
      ...maybe({ metricsFrom: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }),
      ...maybe({
        extraEgress: [{ to: [{ ipBlock: { cidr: '169.254.170.23/32' } }], ports: [{ protocol: 'TCP', port: 80 }] }],
      }),
    },
    serviceMonitor: maybe({ enabled: true, labels: { release: 'prometheus' }, interval: '1m' }),
    ...maybe({ extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }] }),
    ...maybe({
      extraVolumes: [{ name: 'more', configMap: { name: 'more' } }],
      extraVolumeMounts: [{ name: 'more', mountPath: '/etc/more' }],
    }),
  };
}
