import { writeFileSync } from 'node:fs';
import { makeVerdictSource } from './make-verdict.ts';
import { makeWire } from './make-wire.ts';

writeFileSync(new URL('src/wire.generated.ts', import.meta.url), makeWire());
writeFileSync(new URL('src/verdict.generated.ts', import.meta.url), makeVerdictSource());
