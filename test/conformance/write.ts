import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConformance, readClaims } from './claims.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'conformance.md');
writeFileSync(file, describeConformance(readClaims()));
