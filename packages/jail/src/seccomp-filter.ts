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
  ifEqual,
  load,
  loadNumber,
  returnAction,
} from './bpf.ts';
import {
  type Architecture,
  allowedCalls,
  callNumberOf,
  conditionalCalls,
  processCalls,
  refusedCalls,
} from './system-calls.ts';

const cloneThread = 0x0001_0000;

// These query terminals and descriptors and set descriptor flags. None inserts input into a terminal (TIOCSTI,
// TIOCLINUX).
const allowedIoctls = {
  TCGETS: 0x5401,
  TIOCGWINSZ: 0x5413,
  FIONREAD: 0x541b,
  FIONBIO: 0x5421,
  FIONCLEX: 0x5450,
  FIOCLEX: 0x5451,
};
// These copy descriptors and read or set their flags. F_SETOWN is not allowed: with it, the kernel sends signals to any
// process of the user.
const allowedFcntls = {
  F_DUPFD: 0,
  F_GETFD: 1,
  F_SETFD: 2,
  F_GETFL: 3,
  F_SETFL: 4,
  F_DUPFD_CLOEXEC: 1030,
  F_GETPIPE_SZ: 1032,
};
const allowedPrctls = { PR_GET_DUMPABLE: 3, PR_SET_NAME: 15, PR_GET_NAME: 16, PR_CAPBSET_READ: 23 };
// bubblewrap sets this parent-death signal on the first process in the jail, to which the filter applies too. The
// signal must not be cleared.
const dieWithParent = { PR_SET_PDEATHSIG: 1, SIGKILL: 9 };

/**
 * The seccomp filter in the kernel's format. A call that is not in the lists kills the process: no decoder needs it, so
 * the process may be under an attacker's control.
 *
 * @param ownPid the process to which the filter applies, if it shares its process namespace with others
 */
export function assembleFilter(architecture: Architecture, ownPid: number | null): Buffer {
  return assemble(instructionsFor(architecture, ownPid));
}

function instructionsFor(architecture: Architecture, ownPid: number | null): Instruction[] {
  const calls = { ...conditionalCalls, ...processCalls };
  const only = (name: keyof typeof calls, rule: Instruction[]) =>
    forCall(callNumberOf(calls[name], architecture), rule);
  /** Allows a call whose argument of this index names the calling process, by 0 or by its id. */
  const itself = (index: number, elseAction: number) =>
    ownPid === null ? [allow] : allowArgumentValues(index, [0, ownPid], elseAction);
  return [
    ...loadNumber(architecture),
    // Only threads of the same process: a tool that cannot fork leaves no process behind.
    ...only('clone', [
      [load, 0, 0, argumentOffset(0)],
      [ifAnyBit, 1, 0, cloneNewNamespaces],
      [ifAnyBit, 1, 0, cloneThread],
      [returnAction, 0, 0, actions.kill],
      allow,
    ]),
    ...only('fcntl', allowArgumentValues(1, Object.values(allowedFcntls), actions.error(errno.EINVAL))),
    ...only('ioctl', allowArgumentValues(1, Object.values(allowedIoctls), actions.error(errno.ENOTTY))),
    ...only('prctl', [
      [load, 0, 0, argumentOffset(0)],
      [ifEqual, 0, 4, dieWithParent.PR_SET_PDEATHSIG],
      [load, 0, 0, argumentOffset(1)],
      [ifEqual, 1, 0, dieWithParent.SIGKILL],
      [returnAction, 0, 0, actions.error(errno.EINVAL)],
      allow,
      ...allowArgumentValues(0, Object.values(allowedPrctls), actions.error(errno.EINVAL)),
    ]),
    // These can harm another process. glibc calls them with 0 or the caller's own id.
    ...only('prlimit64', itself(0, actions.kill)),
    ...only('tgkill', itself(0, actions.kill)),
    // These only return information. glibc calls some of them with the id of a thread.
    ...only('getpgid', itself(0, actions.error(errno.ESRCH))),
    ...only('getpriority', itself(1, actions.error(errno.ESRCH))),
    ...only('getsid', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getaffinity', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getparam', itself(0, actions.error(errno.ESRCH))),
    ...only('sched_getscheduler', itself(0, actions.error(errno.ESRCH))),
    ...forEachCall(refusedCalls, architecture, actions.error(errno.ENOSYS)),
    ...forEachCall(allowedCalls, architecture, actions.allow),
    [returnAction, 0, 0, actions.kill],
  ];
}
