import { describe, expect, test } from 'vitest';
import { restrictedProblems } from './pod-security.ts';
import type { PodSpec } from './render.ts';

const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const container = { name: 'one', image: 'one', securityContext };
const compliantPod: PodSpec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [container],
  volumes: [{ name: 'scratch', emptyDir: {} }],
};
const inPod = (changes: object): PodSpec => ({
  ...compliantPod,
  securityContext: { ...compliantPod.securityContext, ...changes },
});
const inContainer = (changes: object): PodSpec => ({
  ...compliantPod,
  containers: [{ ...container, securityContext: { ...securityContext, ...changes } }],
});

describe('the check of the Pod Security level restricted', () => {
  test('finds no problem in a compliant pod', () => {
    expect(restrictedProblems(compliantPod)).toEqual([]);
    expect(restrictedProblems(inContainer({ seccompProfile: { type: 'Localhost' } }))).toEqual([]);
    expect(restrictedProblems(inContainer({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }))).toEqual([]);
  });

  test.each<[string, PodSpec]>([
    ['hostNetwork', { ...compliantPod, hostNetwork: true }],
    ['hostPID', { ...compliantPod, hostPID: true }],
    ['hostIPC', { ...compliantPod, hostIPC: true }],
    ['volume node', { ...compliantPod, volumes: [{ name: 'node', hostPath: { path: '/' } }] }],
    ['sysctl kernel.msgmax', inPod({ sysctls: [{ name: 'kernel.msgmax', value: '1' }] })],
    ['seccompProfile.type', inPod({ seccompProfile: { type: 'Unconfined' } })],
    ['one: seccompProfile.type', inContainer({ seccompProfile: { type: 'Unconfined' } })],
    ['one: seccompProfile is not set', inPod({ seccompProfile: undefined })],
    ['appArmorProfile.type', inPod({ appArmorProfile: { type: 'Unconfined' } })],
    ['seLinuxOptions.type', inPod({ seLinuxOptions: { type: 'spc_t' } })],
    ['seLinuxOptions.user', inPod({ seLinuxOptions: { user: 'root' } })],
    ['one: seLinuxOptions.role', inContainer({ seLinuxOptions: { role: 'admin' } })],
    ['one: windowsOptions.hostProcess', inContainer({ windowsOptions: { hostProcess: true } })],
    ['runAsUser', inPod({ runAsUser: 0 })],
    ['one: runAsUser', inContainer({ runAsUser: 0 })],
    ['one: runAsNonRoot', inContainer({ runAsNonRoot: false })],
    ['one: runAsNonRoot', inPod({ runAsNonRoot: undefined })],
    ['one: privileged', inContainer({ privileged: true })],
    ['one: procMount', inContainer({ procMount: 'Unmasked' })],
    ['one: allowPrivilegeEscalation', inContainer({ allowPrivilegeEscalation: undefined })],
    ['one: capabilities.drop', inContainer({ capabilities: {} })],
    ['one: capabilities.add', inContainer({ capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } })],
    ['one: hostPort', { ...compliantPod, containers: [{ ...container, ports: [{ hostPort: 80 }] }] }],
    [
      'one: host of a probe or handler',
      { ...compliantPod, containers: [{ ...container, livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } } }] },
    ],
    ['two: allowPrivilegeEscalation', { ...compliantPod, initContainers: [{ name: 'two', image: 'two' }] }],
  ])('reports the problem "%s"', (problem, pod) => {
    expect(restrictedProblems(pod)).toContain(problem);
  });
});
