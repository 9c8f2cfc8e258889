import { type Evidence, type EvidenceName, gatherers, type Shared } from './evidence.ts';
import { gatherPass, passNames } from './pass/gather-pass.ts';
import { readProbe } from './probe.ts';
import type { Source } from './source.ts';

/** Gathers what is asked for, each kind once; what failed is told apart, once each. */
export async function gather(
  names: ReadonlySet<EvidenceName>,
  source: Source,
): Promise<{ evidence: Partial<Evidence>; failures: unknown[] }> {
  const probe = once(() => readProbe(source));
  const asked = passNames.filter((name) => names.has(name));
  const shared: Shared = { probe, pass: once(async () => gatherPass(source, await probe(), asked)) };

  const evidence: Record<string, unknown> = {};
  const failures = new Set<unknown>(); // several may fail for want of the same
  const gathered = await Promise.allSettled([...names].map(async (name) => gatherers[name](source, shared)));
  for (const [i, name] of [...names].entries()) {
    const one = gathered[i] as PromiseSettledResult<unknown>;
    if (one.status === 'fulfilled') evidence[name] = one.value;
    else failures.add(one.reason);
  }
  return { evidence: evidence as Partial<Evidence>, failures: [...failures] };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
