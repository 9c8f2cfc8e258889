import { createInterface } from 'node:readline/promises';
import { Failure } from './failure.ts';
import { plain } from './output.ts';

/** What is typed, without showing it. */
export async function askHidden(question: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  let typed = '';
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      stdin.on('data', (piece: string) => {
        for (const letter of piece) {
          if (letter === '\x03') reject(new Failure('interrupted', 'Not signed in.'));
          else if (letter === '\r' || letter === '\n' || letter === '\x04') resolve(typed);
          else if (letter === '\x7f' || letter === '\b') typed = typed.slice(0, -1);
          else if (letter >= ' ') typed += letter;
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
  for await (const piece of process.stdin) text += piece;
  return text;
}

/** Nothing is deleted unasked: on a terminal by a question, elsewhere by --yes. */
export async function requireYes(question: string, isYes: boolean | undefined, signal: AbortSignal): Promise<void> {
  if (isYes) return;
  if (!process.stdin.isTTY) {
    throw new Failure('usage', `${question} Nobody is there to ask.`, { next: 'Say so with --yes.' });
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  // Without a listener of its own, each version of Node ends the question in another way, or never.
  const leaving = new Promise<string>((resolve) => {
    for (const way of ['SIGINT', 'close']) asking.once(way, () => resolve('\n'));
  });
  const answer = await Promise.race([asking.question(`${plain(question)} [y/N] `, { signal }), leaving]);
  asking.close();
  if (answer === '\n') process.stderr.write(answer);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('interrupted', 'Nothing was deleted.');
}
