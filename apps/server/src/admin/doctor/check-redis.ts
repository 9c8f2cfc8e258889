import type { Handles } from '#platform/handles.ts';
import { type Finding, failedFinding, okFinding } from './finding.ts';

const redisMajorMin = 6;

export async function checkRedis({ redis }: Pick<Handles, 'redis'>): Promise<Finding[]> {
  if (redis.status !== 'ready')
    await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject));
  const version = /^redis_version:(.+)$/m.exec(await redis.info('server'))?.[1]?.trim() ?? '';
  if (Number(version.split('.')[0]) >= redisMajorMin) return [okFinding('redis', version)];
  return [failedFinding('redis', version, `Upgrade Redis to version ${redisMajorMin} or later.`)];
}
