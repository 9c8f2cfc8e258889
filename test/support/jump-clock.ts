/**
 * Put before a process with `--import`: at SIGUSR2 its clock falls behind by CLOCK_JUMP_SECONDS, at the next one it jumps
 * ahead to the right time. Timers go on as they do when the clock of a machine is set.
 */
const jumpMillis = Number(process.env.CLOCK_JUMP_SECONDS) * 1000;
const RealDate = Date;
let behindMillis = 0;
process.on('SIGUSR2', () => {
  behindMillis = behindMillis === 0 ? jumpMillis : 0;
});

const now = () => RealDate.now() - behindMillis;
// A proxy and not a class of its own, so that `instanceof Date` holds for dates which Node itself makes.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
