import { createInterface } from 'node:readline/promises';
import { Failure } from './failure.ts';
import { stripControls } from './output/output.ts';

/** Reads a line from the terminal without echoing it. */
export async function promptHidden(question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  let typed = '';
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      stdin.on('data', (chunk: string) => {
        for (const character of chunk) {
          if (character === '\x03') reject(new Failure('interrupted', 'Cancelled. You are not signed in.'));
          else if (character === '\r' || character === '\n' || character === '\x04') resolve(typed);
          else if (character === '\x7f' || character === '\b') typed = typed.slice(0, -1);
          else if (character >= ' ') typed += character;
        }
      });
    });
  } finally {
    stdin.removeAllListeners('data');
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

export async function readStdin(): Promise<string> {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

/** Requires confirmation before anything is deleted: a prompt on a terminal, --yes elsewhere. */
export async function requireConfirmation(
  question: string,
  isConfirmed: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) throw new Failure('usage', 'Not a terminal; pass --yes to confirm.');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // Without these listeners, Node versions differ in how Ctrl-C and Ctrl-D end the prompt; some never end it.
  const cancelled = new Promise<string>((resolve) => {
    for (const event of ['SIGINT', 'close']) prompt.once(event, () => resolve('\n'));
  });
  const answer = await Promise.race([prompt.question(`${stripControls(question)} [y/N] `, { signal }), cancelled]);
  prompt.close();
  if (answer === '\n') process.stderr.write(answer);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('interrupted', 'Cancelled. Nothing was deleted.');
}
