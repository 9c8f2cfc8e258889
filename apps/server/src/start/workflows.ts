/** The entry point of the workflow bundle: every workflow, by the name under which it is started. */
export { analyseSubmission } from '#modules/analysis/analyse-submission.workflow.ts';
export { rehearseSubmission } from '#modules/sandbox/simulate-submission.workflow.ts';
