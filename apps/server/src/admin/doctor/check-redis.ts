import type { Handles } from '#platform/handles.ts';
import { type Finding, failed, ok } from './finding.ts';

const majorMin = 6;

export async function checkRedis({ redis }: Pick<Handles, 'redis'>): Promise<Finding[]> {
  if (redis.status !== 'ready')
    await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject));
  const version = /^redis_version:(.+)$/m.exec(await redis.info('server'))?.[1]?.trim() ?? '';
  if (Number(version.split('.')[0]) >= majorMin) return [ok('redis', version)];
  return [failed('redis', version, `Upgrade Redis to version ${majorMin} or later.`)];
}
