import { AssetFailure } from '@assay/contract/asset-failures.ts';

/**
 * `null` where a tool went beyond its limits, for those who can say something without it. That it took too long may be
 * the machine's fault and is worth another try; the weight of the file is not.
 */
export async function withinLimits<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof AssetFailure && failure.errorType === 'resource_limit_exceeded') return null;
    throw failure;
  }
}
