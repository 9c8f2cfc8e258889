/** What the response to a refused request must match. `pointers` are those of all its errors, in order. */
export function refused(status: number, code: string, ...pointers: string[]) {
  const errors = pointers.map((pointer) => ({ pointer }));
  return { status, body: { status, code, ...(errors.length > 0 && { errors }) } };
}
