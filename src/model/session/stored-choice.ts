/**
 * The value that a stored choice names. A choice that is gone never becomes another one: the result is `undefined` then.
 * `getInitial`: the value before the first choice.
 */
export function resolveChoice<C, T>(
  choice: C | undefined,
  find: (choice: C) => T | undefined,
  getInitial: () => T | undefined,
): T | undefined {
  return choice === undefined ? getInitial() : find(choice);
}
