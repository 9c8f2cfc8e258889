// Checked by the compiler alone: only packages that extend tsconfig.browser.json know the types of browsers.
// @ts-expect-error
export type InNode = Document;
