export type Step = 'upload' | 'submit' | 'read' | 'fire' | 'cancel' | 'retry';

/** What a client prints: the status of each step, and what it read. */
export type Outcome = Record<Step, number> & { submissionId: string; filename: string };
