import type { RuleCode } from '../rules.ts';

/** What is wrong, under which name it comes, its bytes, and the rules that must speak. */
export type HostileFile = [label: string, filename: string, bytes: Uint8Array, expected: RuleCode[]];
