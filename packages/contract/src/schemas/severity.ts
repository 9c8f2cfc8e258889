// No schemas in this file, so that importing it does not load Zod.

// §2.4
export const severities = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;
export type Severity = (typeof severities)[number];
