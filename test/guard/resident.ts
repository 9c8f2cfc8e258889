import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

type Answers = Record<string, (argument: never) => unknown>;
type Question = { id: number; name: string; argument: unknown };
type Answer = { id: number; result?: unknown; error?: string } | { news: unknown };

export type Resident<Answering extends Answers> = {
  ask<Name extends keyof Answering & string>(
    name: Name,
    argument?: Parameters<Answering[Name]>[0],
  ): Promise<Awaited<ReturnType<Answering[Name]>>>;
  close(): Promise<void>;
};

/** A process in a namespace, which answers what the test asks of it and ends with the test. */
export async function openResident<Answering extends Answers>(
  script: string,
  wrap: (command: string[]) => string[],
  environment: Record<string, string> = {},
  onNews: (news: string) => void = () => {},
): Promise<Resident<Answering>> {
  const [program = '', ...args] = wrap([process.execPath, join(import.meta.dirname, script)]);
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', (answer: Answer) => {
    if ('news' in answer) return onNews(answer.news as string);
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) asker?.resolve(answer.result);
    else asker?.reject(new Error(`${script}: ${answer.error}`));
  });
  void ended.then(([code]) => {
    for (const asker of waiting.values()) asker.reject(new Error(`${script} ended with ${code}`));
  });
  let lastId = 0;
  return {
    ask: (name, argument) => {
      const asker = Promise.withResolvers<unknown>();
      const id = ++lastId;
      waiting.set(id, asker);
      child.send({ id, name, argument } satisfies Question);
      return asker.promise as never;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** In such a process: answers, until the test lets go of it. */
export function answerQuestions(answers: Answers): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      process.send?.({ id, result: await answers[name]?.(argument as never) } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: String(error) } satisfies Answer);
    }
  });
  process.on('disconnect', () => process.exit());
}

export function tellNews(news: string): void {
  process.send?.({ news } satisfies Answer);
}
