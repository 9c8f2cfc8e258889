// In a file without schemas: whoever needs only these words does not load the library of schemas.

// §2.4
export const severities = ['CRITICAL', 'MAJOR', 'MINOR', 'INFO'] as const;
export type Severity = (typeof severities)[number];
