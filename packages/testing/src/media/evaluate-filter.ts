import { readFileSync } from 'node:fs';

export const auditArchs = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** The paths of the kernel headers, which may not be installed. */
export const headerPaths: Record<'x64' | 'arm64', string> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
};

/** The system call numbers that a header defines. */
export function numbersIn(header: string): Map<string, number> {
  const text = readFileSync(header, 'latin1');
  const found = new Map(
    [...text.matchAll(/^#define __NR_?(\w+)\s+(\d+)/gm)].map((match) => [match[1] ?? '', Number(match[2])]),
  );
  // `__NR_lseek __NR3264_lseek`: one name for 32 and 64 bits.
  for (const [, name = '', other = ''] of text.matchAll(/^#define __NR_(\w+)\s+__NR(3264_\w+)/gm)) {
    const number = found.get(other);
    if (number !== undefined && !found.has(name)) found.set(name, number);
  }
  return found;
}

/** Interprets the filter as the kernel would. Supports only the instructions that the filters use. */
export function evaluate(
  filter: Buffer,
  auditArch: number,
  number: number,
  args: number[] = [],
): 'kill' | 'allow' | number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(auditArch, 4);
  for (const [i, arg] of args.entries()) data.writeBigUInt64LE(BigInt(arg), 16 + 8 * i);
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, operand] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    const jump = (isTrue: boolean) => 8 * filter.readUInt8(at + (isTrue ? 2 : 3));
    if (code === 0x20) loaded = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(loaded === operand);
    else if (code === 0x35) at += jump(loaded >= operand);
    else if (code === 0x45) at += jump((loaded & operand) !== 0);
    else if (code !== 0x06) throw new Error(`unknown instruction ${code}`);
    else return operand === 0x8000_0000 ? 'kill' : operand === 0x7fff_0000 ? 'allow' : operand & 0xffff;
  }
  throw new Error('the filter ends without a return instruction');
}
