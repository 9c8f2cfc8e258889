import { type FileHandle, open } from 'node:fs/promises';

/**
 * Preloaded into a worker with `--import`: the process kills itself with SIGKILL as soon as it writes bytes that
 * contain DEADLY_WORDS to a file. Simulates a file that crashes the process that handles it.
 */
const { DEADLY_WORDS } = process.env;

const sampleHandle = await open('/dev/null', 'r');
const { write } = Object.getPrototypeOf(sampleHandle) as FileHandle;
await sampleHandle.close();

Object.getPrototypeOf(sampleHandle).write = function writeOrDie(
  this: FileHandle,
  ...args: Parameters<FileHandle['write']>
) {
  const [bytes] = args as unknown as [Uint8Array];
  if (DEADLY_WORDS && Buffer.from(bytes).includes(DEADLY_WORDS)) process.kill(process.pid, 'SIGKILL');
  return write.apply(this, args);
};
