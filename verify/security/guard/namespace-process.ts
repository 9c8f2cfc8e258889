import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

type CallTable = Record<string, (argument: never) => unknown>;
type Call = { id: number; name: string; argument: unknown };
type Answer = { id: number; result?: unknown; error?: string } | { notification: unknown };

export type NamespaceProcess<Calls extends CallTable> = {
  call<Name extends keyof Calls & string>(
    name: Name,
    argument?: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
  close(): Promise<void>;
};

/** Starts a process in a namespace that executes the test's calls and ends with the test. */
export async function openNamespaceProcess<Calls extends CallTable>(
  script: string,
  wrap: (command: string[]) => string[],
  environment: Record<string, string> = {},
  onNotification: (notification: string) => void = () => {},
): Promise<NamespaceProcess<Calls>> {
  const [program = '', ...args] = wrap([process.execPath, join(import.meta.dirname, script)]);
  const child = spawn(program, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', (answer: Answer) => {
    if ('notification' in answer) return onNotification(answer.notification as string);
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) caller?.resolve(answer.result);
    else caller?.reject(new Error(`${script}: ${answer.error}`));
  });
  void ended.then(([code]) => {
    for (const caller of waiting.values()) caller.reject(new Error(`${script} exited with ${code}`));
  });
  let lastId = 0;
  return {
    call: (name, argument) => {
      const caller = Promise.withResolvers<unknown>();
      const id = ++lastId;
      waiting.set(id, caller);
      child.send({ id, name, argument } satisfies Call);
      return caller.promise as never;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Called in a namespace process: executes calls until the test disconnects. */
export function serveCalls(answers: CallTable): void {
  process.on('message', async ({ id, name, argument }: Call) => {
    try {
      process.send?.({ id, result: await answers[name]?.(argument as never) } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: String(error) } satisfies Answer);
    }
  });
  process.on('disconnect', () => process.exit());
}

export function notifyTest(notification: string): void {
  process.send?.({ notification } satisfies Answer);
}
