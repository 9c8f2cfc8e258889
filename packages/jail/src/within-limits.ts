import { AssetFailure } from '@assay/contract/asset-failures.ts';

/**
 * Returns `null` if a tool exceeded a resource limit, for callers that can continue without its result. A timeout still
 * throws: the machine may be its cause, and then a retry can succeed.
 */
export async function withinLimits<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof AssetFailure && failure.errorType === 'resource_limit_exceeded') return null;
    throw failure;
  }
}
