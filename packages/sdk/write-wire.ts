import { writeFileSync } from 'node:fs';
import { makeWire } from './make-wire.ts';

writeFileSync(new URL('src/wire.generated.ts', import.meta.url), makeWire());
