import { createRandom } from '@assay/testing/run/random.ts';
import { describe, expect, test } from 'vitest';
import { loadKernel } from './kernel.ts';
import { callKernel, type KernelCall, kernelCalls } from './samples/kernel-calls.ts';

const kernel = loadKernel();
const random = createRandom(1);
const pick = (below: number) => random.between(0, below - 1);
const shape = { width: 37, height: 19, chunks: 3, frames: 3, stride: 2, pick };
const calls = [
  ...kernelCalls({ ...shape, isRgb: false, isDeep: false, hasTables: false, lines: 0 }),
  ...kernelCalls({ ...shape, isRgb: true, isDeep: true, hasTables: true, lines: 1 }),
];

/** The call with one array that is too short, of another type, or missing; for each of its arrays. */
function wrongCalls({ name, groups }: KernelCall) {
  return groups.flatMap((group, g) =>
    group.flatMap((array, i) => {
      const { length, BYTES_PER_ELEMENT } = array;
      const wrong = [
        array.subarray(0, length - 1),
        BYTES_PER_ELEMENT === 4 ? new Float64Array(length) : new Int32Array(length),
        undefined as never,
      ];
      return wrong.map((one) => ({ name, groups: groups.map((all, at) => (at === g ? all.with(i, one) : all)) }));
    }),
  );
}

describe('the kernel', () => {
  test.each(calls)('accepts a call of $name with arrays of the size that it needs', (call) => {
    expect(() => callKernel(kernel, call)).not.toThrow();
  });

  test.each(calls)('refuses a call of $name if an array is too short, of another type or missing', (call) => {
    for (const wrong of wrongCalls(call)) expect(() => callKernel(kernel, wrong)).toThrow(RangeError);
  });

  test.each([
    ['a width of 0', 'shrink', [0, 19, 5, 5, 0]],
    ['a part beyond the frame', 'findFullest', [37, 0, 0, 37, 18, 4, 4, 0]],
    ['a part with its edges exchanged', 'findFullest', [37, 5, 0, 4, 18, 4, 4, 0]],
    ['a stride of 0', 'collectEvents', [37, 0, 0, 1, 1, 40, 0, 0, 0, 0]],
  ])('refuses %s', (_, name, numbers) => {
    const { groups } = calls.find((one) => one.name === name) as KernelCall;
    const wrong = { name, groups: [(groups[0] ?? []).with(0, Int32Array.from(numbers))] } as KernelCall;
    expect(() => callKernel(kernel, wrong)).toThrow(RangeError);
  });
});
