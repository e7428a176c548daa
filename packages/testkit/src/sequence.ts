/** Draws a whole number from 0 up to, but not including, `below`. */
export type Draw = (below: number) => number;

/** A sequence of draws that is the same in every run. */
export function sequence(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The same elements in an order that is drawn. */
export function shuffled<Element>(list: readonly Element[], draw: Draw): Element[] {
  const left = [...list];
  return list.flatMap(() => left.splice(draw(left.length), 1));
}
