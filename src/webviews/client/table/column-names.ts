/**
 * Returns the name of each column by its key: its heading, or the last part of a path such as `custom.event`, with as many
 * parts before it as no other column ends with.
 */
export function getColumnNames(
  columns: readonly { readonly key: string; readonly label: string; readonly heading?: string | undefined }[],
): ReadonlyMap<string, string> {
  const paths = columns.map(({ key, label }) => ({ key, path: label.toLowerCase() }));
  return new Map(
    columns.map(({ key, label, heading }) => {
      const parts = label.split('.');
      const names = parts.map((_, index) => parts.slice(-index - 1).join('.'));
      const isUnique = (name: string): boolean => {
        const end = name.toLowerCase();
        return (
          end !== '' &&
          paths.every((other) => other.key === key || (other.path !== end && !other.path.endsWith(`.${end}`)))
        );
      };
      return [key, heading ?? names.find(isUnique) ?? label];
    }),
  );
}
