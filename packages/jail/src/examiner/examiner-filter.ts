import { readFileSync } from 'node:fs';
import {
  actions,
  allow,
  allowArgumentValues,
  argumentOffset,
  assemble,
  cloneNewNamespaces,
  errno,
  forCall,
  forEachCall,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  load,
  loadNumber,
  returnAction,
} from '../bpf.ts';
import { type Architecture, callNumberOf } from '../system-calls.ts';
import { argumentCalls, firstUnknownNumber, neededByBubblewrap, neverNeeded } from './refused-calls.ts';

// Signals that are sent when a descriptor becomes ready go to any process of the user.
const ownerFcntls = { F_SETOWN: 8, F_SETSIG: 10, F_SETOWN_EX: 15 };
const refusedIoctls = { TIOCSTI: 0x5412, TIOCLINUX: 0x541c, FIOSETOWN: 0x8901, SIOCSPGRP: 0x8902 };
const AF_UNIX = 1;
const AF_NETLINK = 16;
/** bubblewrap sets up the loopback interface with these. In namespaces of its own, an examiner reaches nobody by them. */
const socketFamilies = [AF_UNIX, AF_NETLINK];
const SOCK_STREAM = 1;
const [SOCK_NONBLOCK, SOCK_CLOEXEC] = [0x800, 0x8_0000];
/** A pair of datagram sockets could be connected to another socket later. */
const streamTypes = [0, SOCK_NONBLOCK, SOCK_CLOEXEC, SOCK_NONBLOCK | SOCK_CLOEXEC].map((flags) => SOCK_STREAM | flags);
const negative = 0x8000_0000;

/** The process that an examiner must not harm, and its process group. */
export type Protected = { pid: number; group: number };

/** This process, as the filter of an examiner without a process namespace names it. */
export function protectThisProcess(): Protected {
  const fields = readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return { pid: process.pid, group: Number(fields[2]) };
}

/**
 * The seccomp filter of an examiner, which its tools inherit. Unlike the filter of a tool, it lists what is refused:
 * Node.js and the programs that make the jails of tools need most calls, and Landlock or namespaces do the rest.
 *
 * @param shielded the worker, if the examiner has no process namespace of its own
 */
export function assembleExaminerFilter(architecture: Architecture, shielded: Protected | null): Buffer {
  const only = (name: keyof typeof argumentCalls, rule: Instruction[]) =>
    forCall(callNumberOf(argumentCalls[name], architecture), rule);
  const refuse = actions.error(errno.EPERM);
  return assemble([
    ...loadNumber(architecture),
    [ifAtLeast, 0, 1, firstUnknownNumber],
    [returnAction, 0, 0, actions.error(errno.ENOSYS)],
    ...forEachCall(neverNeeded, architecture, refuse),
    ...only('fcntl', refuseArgumentValues(1, Object.values(ownerFcntls), refuse)),
    ...only('ioctl', refuseArgumentValues(1, Object.values(refusedIoctls), refuse)),
    ...only('socketpair', [
      [load, 0, 0, argumentOffset(0)],
      [ifEqual, 1, 0, AF_UNIX],
      [returnAction, 0, 0, refuse],
      ...allowArgumentValues(1, streamTypes, refuse),
    ]),
    ...(shielded
      ? withoutNamespaces(architecture, only, shielded)
      : only('socket', allowArgumentValues(0, socketFamilies, refuse))),
    allow,
  ]);
}

type Only = (name: keyof typeof argumentCalls, rule: Instruction[]) => Instruction[];

function withoutNamespaces(architecture: Architecture, only: Only, { pid, group }: Protected): Instruction[] {
  const refuse = actions.error(errno.EPERM);
  return [
    ...forEachCall(neededByBubblewrap, architecture, refuse),
    ...only('clone', [
      [load, 0, 0, argumentOffset(0)],
      [ifAnyBit, 0, 1, cloneNewNamespaces],
      [returnAction, 0, 0, refuse],
      allow,
    ]),
    // Its flags are in memory, which a filter cannot read. glibc falls back to `clone`.
    ...only('clone3', [[returnAction, 0, 0, actions.error(errno.ENOSYS)]]),
    // Tools are ended by their process group. No process is ended by its id.
    ...only('kill', [
      [load, 0, 0, argumentOffset(0)],
      [ifAnyBit, 1, 0, negative],
      [returnAction, 0, 0, refuse],
      ...refuseArgumentValues(0, [-1 >>> 0, -group >>> 0], refuse),
    ]),
    ...only('tgkill', refuseArgumentValues(0, [1, pid], refuse)),
    ...only('prlimit64', allowArgumentValues(0, [0], refuse)),
  ];
}

function refuseArgumentValues(index: number, values: number[], action: number): Instruction[] {
  return [
    [load, 0, 0, argumentOffset(index)],
    ...values.map((value, i): Instruction => [ifEqual, values.length - i, 0, value]),
    allow,
    [returnAction, 0, 0, action],
  ];
}
