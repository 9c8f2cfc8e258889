/**
 * Preloaded into a process with `--import`: each SIGUSR2 sets its clock to the next of CLOCK_OFFSETS_SECONDS, in turn.
 * With `-45,0` it is first 45 s behind, then correct, then behind again. Timers are not affected, as when a host's
 * clock is set.
 */
const offsetsMillis = (process.env.CLOCK_OFFSETS_SECONDS ?? '').split(',').map((seconds) => Number(seconds) * 1000);
const RealDate = Date;
let offsetMillis = 0;
let jumpCount = 0;
process.on('SIGUSR2', () => {
  offsetMillis = offsetsMillis[jumpCount++ % offsetsMillis.length] as number;
});

const now = () => RealDate.now() + offsetMillis;
// A proxy instead of a class, so that `instanceof Date` is true for dates that Node creates.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
