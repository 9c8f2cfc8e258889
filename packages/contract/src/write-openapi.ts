import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOpenApi } from './openapi.ts';

writeFileSync(join(import.meta.dirname, '..', 'openapi.json'), `${JSON.stringify(makeOpenApi(), null, 2)}\n`);
