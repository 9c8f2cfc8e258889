/** The entry of the workflow bundle: every durable story, by the name under which it is started. */
export { analyseSubmission } from './analysis/analyse-submission.workflow.ts';
export { rehearseSubmission } from './sandbox/rehearse-submission.workflow.ts';
