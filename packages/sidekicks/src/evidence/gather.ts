import type { Source } from '@assay/jail/source/source.ts';
import { type Evidence, type EvidenceName, gatherers, type SharedResults } from './evidence.ts';
import { gatherPass, passEvidenceNames } from './media/decode/gather-pass.ts';
import { readProbe } from './media/probe/probe.ts';

/**
 * Gathers the requested evidence, each kind once. `playable` is what is decoded, if it is not the file itself. `seconds` is the time from the start until each kind was ready.
 * `failures` has each distinct failure once.
 */
export async function gather(
  names: ReadonlySet<EvidenceName>,
  source: Source,
  playable: Pick<Source, 'fd' | 'bytes'> = source,
): Promise<{ evidence: Partial<Evidence>; seconds: Map<EvidenceName, number>; failures: unknown[] }> {
  const startedAt = performance.now();
  const decoded = { ...source, fd: playable.fd, bytes: playable.bytes };
  const probe = once(() => readProbe(decoded));
  const requestedPassNames = passEvidenceNames.filter((name) => names.has(name));
  const shared: SharedResults = {
    probe,
    pass: once(async () => gatherPass(decoded, await probe(), requestedPassNames)),
  };

  const evidence: Record<string, unknown> = {};
  const failures = new Set<unknown>(); // several kinds can fail because of the same shared result
  const seconds = new Map<EvidenceName, number>();
  const gatherOne = async (name: EvidenceName) => {
    const result = await gatherers[name](source, shared);
    seconds.set(name, (performance.now() - startedAt) / 1000);
    return result;
  };
  const gathered = await Promise.allSettled([...names].map(gatherOne));
  for (const [i, name] of [...names].entries()) {
    const result = gathered[i] as PromiseSettledResult<unknown>;
    if (result.status === 'fulfilled') evidence[name] = result.value;
    else failures.add(result.reason);
  }
  return { evidence: evidence as Partial<Evidence>, seconds, failures: [...failures] };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    started ??= work();
    return started;
  };
}
