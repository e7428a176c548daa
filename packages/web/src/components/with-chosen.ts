/**
 * The choices with what is chosen, also while it is not among them: the browser would show the first choice instead,
 * such as all projects over the findings of one.
 */
export function withChosen<T extends string>(
  choices: readonly (readonly [T, string])[],
  chosen: T,
): readonly (readonly [T, string])[] {
  return choices.some(([choice]) => choice === chosen) ? choices : [...choices, [chosen, '…']];
}
