/** A binary heap: `pop` removes and returns the value that sorts before all others. */
export type Heap<Value> = { push(value: Value): void; first(): Value | undefined; pop(): Value | undefined };

export function createHeap<Value>(isBefore: (a: Value, b: Value) => boolean): Heap<Value> {
  const values: Value[] = [];
  const at = (index: number) => values[index] as Value;

  function rise(value: Value): void {
    let hole = values.length;
    for (let parent = (hole - 1) >> 1; hole > 0 && isBefore(value, at(parent)); parent = (hole - 1) >> 1) {
      values[hole] = at(parent);
      hole = parent;
    }
    values[hole] = value;
  }

  function sink(value: Value): void {
    let hole = 0;
    for (let child = 1; child < values.length; child = 2 * hole + 1) {
      if (child + 1 < values.length && isBefore(at(child + 1), at(child))) child++;
      if (!isBefore(at(child), value)) break;
      values[hole] = at(child);
      hole = child;
    }
    values[hole] = value;
  }

  return {
    push: rise,
    first: () => values[0],
    pop() {
      const first = values[0];
      const last = values.pop();
      if (last !== undefined && values.length > 0) sink(last);
      return first;
    },
  };
}
