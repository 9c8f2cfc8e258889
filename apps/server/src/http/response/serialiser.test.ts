import { expect, test } from 'vitest';
import { z } from 'zod';
import { serialiserOf } from './serialiser.ts';

const Body = z.object({ id: z.string(), note: z.string().nullable(), tags: z.array(z.string()) });

test('a schema is compiled once per process, whatever the number of routes and servers', () => {
  expect(serialiserOf(Body)).toBe(serialiserOf(Body));
});

test('a response contains the members of its schema and no others', () => {
  const stored = { id: 'a', note: null, tags: ['b'], keyHash: 'secret' };
  expect(JSON.parse(serialiserOf(Body)(stored))).toEqual({ id: 'a', note: null, tags: ['b'] });
});
