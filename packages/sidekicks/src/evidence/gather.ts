import { type Evidence, type EvidenceName, gatherers, type Shared } from './evidence.ts';
import { gatherPass, passNames } from './pass/gather-pass.ts';
import { readProbe } from './probe.ts';
import type { Source } from './source.ts';

/** Gathers what is asked for, each kind once, and says after how many seconds it had it; what failed is told apart, once each. */
export async function gather(
  names: ReadonlySet<EvidenceName>,
  source: Source,
): Promise<{ evidence: Partial<Evidence>; seconds: Map<EvidenceName, number>; failures: unknown[] }> {
  const begin = performance.now();
  const probe = once(() => readProbe(source));
  const asked = passNames.filter((name) => names.has(name));
  const shared: Shared = { probe, pass: once(async () => gatherPass(source, await probe(), asked)) };

  const evidence: Record<string, unknown> = {};
  const failures = new Set<unknown>(); // several may fail for want of the same
  const seconds = new Map<EvidenceName, number>();
  const gatherOne = async (name: EvidenceName) => {
    const one = await gatherers[name](source, shared);
    seconds.set(name, (performance.now() - begin) / 1000);
    return one;
  };
  const gathered = await Promise.allSettled([...names].map(gatherOne));
  for (const [i, name] of [...names].entries()) {
    const one = gathered[i] as PromiseSettledResult<unknown>;
    if (one.status === 'fulfilled') evidence[name] = one.value;
    else failures.add(one.reason);
  }
  return { evidence: evidence as Partial<Evidence>, seconds, failures: [...failures] };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    return begun;
  };
}
