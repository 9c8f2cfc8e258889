import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { files, isProduction, sources, textOf } from './sources.ts';

describe('names and sizes', () => {
  test('no folder has more than 25 files, except docs/decisions, the migrations and the root', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const apart = ['.', 'apps/server/migrations', 'docs/decisions'];
    expect([...counts].filter(([folder, count]) => count > 25 && !apart.includes(folder))).toEqual([]);
  });

  test('no file or folder has a meaningless name', () => {
    const meaningless = /(^|\/)(utils?|helpers?|common|shared|misc|core|base)(\.|\/)|(^|\/)index\.tsx?$/;
    expect(sources.filter((file) => meaningless.test(file))).toEqual([]);
  });

  test('no type or class has a meaningless suffix or the prefix I', () => {
    const pattern =
      /^(?:export )?(?:class|interface|type|const) (?:I[A-Z][a-z]\w*|\w+(?:Dto|Schema|Service|Repository|Manager|Impl))\b/m;
    const wrong = sources.filter(isProduction).flatMap((file) => pattern.exec(textOf.get(file) ?? '')?.[0] ?? []);
    expect(wrong).toEqual([]);
  });

  test('nothing in the repository looks like a real key', () => {
    const wrong = files.filter((file) =>
      /sk_(live|test)_[0-9a-f]{16,}|whsec_[A-Za-z0-9+/]{20,}/.test(textOf.get(file) ?? ''),
    );
    expect(wrong).toEqual([]);
  });
});
