import type { Container, PodSpec } from './render.ts';

// The controls of the Pod Security level `restricted` of Kubernetes 1.34, which includes those of `baseline`.

const volumeTypes = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir'],
  ...['ephemeral', 'persistentVolumeClaim', 'projected', 'secret'],
];
const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
];
const selinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t'];
const profileTypes = ['RuntimeDefault', 'Localhost'];

type Context = {
  allowPrivilegeEscalation?: boolean;
  appArmorProfile?: { type: string };
  capabilities?: { add?: string[]; drop?: string[] };
  privileged?: boolean;
  procMount?: string;
  runAsNonRoot?: boolean;
  runAsUser?: number;
  seccompProfile?: { type: string };
  seLinuxOptions?: { type?: string; user?: string; role?: string };
  sysctls?: { name: string }[];
  windowsOptions?: { hostProcess?: boolean };
};

/** Lists what the level `restricted` forbids in this pod. */
export function restrictedProblems(pod: PodSpec): string[] {
  const podContext = (pod.securityContext ?? {}) as Context;
  const containers = [...pod.containers, ...(pod.initContainers ?? []), ...(pod.ephemeralContainers ?? [])];
  const sharedWithNode = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => pod[name] === true);
  const volumes = (pod.volumes ?? []).filter(
    ({ name: _, ...source }) => !Object.keys(source).every((type) => volumeTypes.includes(type)),
  );
  const sysctls = (podContext.sysctls ?? []).filter(({ name }) => !safeSysctls.includes(name));
  return [
    ...sharedWithNode,
    ...volumes.map(({ name }) => `volume ${name}`),
    ...sysctls.map(({ name }) => `sysctl ${name}`),
    ...sharedProblems(podContext),
    ...containers.flatMap((container) =>
      containerProblems(container, podContext).map((problem) => `${container.name}: ${problem}`),
    ),
  ];
}

/** Problems in the fields that both a pod and a container can have. */
function sharedProblems(context: Context): string[] {
  const { seLinuxOptions: selinux = {} } = context;
  return problemsOf({
    'appArmorProfile.type': context.appArmorProfile && !profileTypes.includes(context.appArmorProfile.type),
    'seccompProfile.type': context.seccompProfile && !profileTypes.includes(context.seccompProfile.type),
    'seLinuxOptions.type': !selinuxTypes.includes(selinux.type ?? ''),
    'seLinuxOptions.user': selinux.user,
    'seLinuxOptions.role': selinux.role,
    'windowsOptions.hostProcess': context.windowsOptions?.hostProcess,
    runAsUser: context.runAsUser === 0,
  });
}

function containerProblems(container: Container, pod: Context): string[] {
  const context = (container.securityContext ?? {}) as Context;
  const { add = [], drop = [] } = context.capabilities ?? {};
  return [
    ...sharedProblems(context),
    ...problemsOf({
      privileged: context.privileged,
      procMount: !['Default', undefined].includes(context.procMount),
      allowPrivilegeEscalation: context.allowPrivilegeEscalation !== false,
      runAsNonRoot: (context.runAsNonRoot ?? pod.runAsNonRoot) !== true,
      'seccompProfile is not set': !(context.seccompProfile ?? pod.seccompProfile),
      'capabilities.drop': !drop.includes('ALL'),
      'capabilities.add': add.some((name) => name !== 'NET_BIND_SERVICE'),
      hostPort: (container.ports ?? []).some(({ hostPort }) => hostPort),
      'host of a probe or handler': hasHost(container),
    }),
  ];
}

function hasHost({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): boolean {
  return JSON.stringify({ livenessProbe, readinessProbe, startupProbe, lifecycle }).includes('"host":');
}

function problemsOf(isWrong: Record<string, unknown>): string[] {
  return Object.keys(isWrong).filter((name) => isWrong[name]);
}
