/**
 * Defines a record for programs by what each of its fields is read from: the names that a user can choose are those that it has.
 */
export function defineRecord<T>(fields: Readonly<Record<string, (item: T) => unknown>>) {
  const getters = Object.entries(fields);
  return {
    fields: Object.keys(fields),
    toJson: (item: T) => Object.fromEntries(getters.map(([name, get]) => [name, get(item)])),
  };
}
