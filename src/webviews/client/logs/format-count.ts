/** Formats a count as `12,345`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en');
}
