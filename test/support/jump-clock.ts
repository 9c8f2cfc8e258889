/**
 * Preloaded into a process with `--import`: SIGUSR2 sets its clock back by CLOCK_JUMP_SECONDS, the next one sets it
 * forward to the right time. Timers are not affected, as when the clock of a machine is set.
 */
const jumpMillis = Number(process.env.CLOCK_JUMP_SECONDS) * 1000;
const RealDate = Date;
let behindMillis = 0;
process.on('SIGUSR2', () => {
  behindMillis = behindMillis === 0 ? jumpMillis : 0;
});

const now = () => RealDate.now() - behindMillis;
// A proxy instead of a class, so that `instanceof Date` is true for dates that Node creates.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
