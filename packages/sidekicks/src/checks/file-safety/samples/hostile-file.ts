import type { RuleCode } from '../rules.ts';

/** A faulty file, and the rules that must report it. */
export type HostileFile = [label: string, filename: string, bytes: Uint8Array, expected: RuleCode[]];
