export type Step = 'upload' | 'submit' | 'read' | 'fire' | 'cancel' | 'retry';

/** The output of a client: the status of each step, and what it read. */
export type Outcome = Record<Step, number> & { submissionId: string; filename: string };
