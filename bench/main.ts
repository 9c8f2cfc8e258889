import { benchDoor } from './door.ts';

const usage = 'usage: pnpm bench door [--quick] [--write]';

/** Name of a bench → what runs it; it resolves with whether what is asked of it was reached. */
const benches: Record<string, (args: string[]) => Promise<boolean>> = { door: benchDoor };

const [name = '', ...args] = process.argv.slice(2);
const bench = benches[name];
if (!bench) {
  console.error(usage);
  process.exit(2);
}
process.exitCode = (await bench(args)) ? 0 : 1;
