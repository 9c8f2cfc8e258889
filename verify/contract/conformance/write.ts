import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { describeConformance, readClaims } from './claims.ts';

const file = join(root, 'docs', 'conformance.md');
writeFileSync(file, describeConformance(readClaims()));
