import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@assay/testing/run/root.ts';
import { describeConformance, readClaims } from './claims.ts';

const conformanceFile = join(root, 'docs', 'conformance.md');
writeFileSync(conformanceFile, describeConformance(readClaims()));
