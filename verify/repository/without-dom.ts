// Only compiled, never run: without tsconfig.browser.json, a package does not know the types of the DOM.
// @ts-expect-error
export type InNode = Document;
