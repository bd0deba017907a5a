/** Kinds by whose IDs a list can be filtered: those that Filter by This takes. */
export const FILTER_KINDS: ReadonlySet<string> = new Set([
  'objects',
  'templates',
  'batches',
  'wallets',
  'organizations',
]);
