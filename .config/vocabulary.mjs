// Words that are not names here: CONTRIBUTING.md has a glossary of the words that are.

/**
 * Each word with what to use in its place.
 * @type {readonly (readonly [word: RegExp, replacement: string])[]}
 */
export const REPLACEMENTS = [
  [/^(?:[Rr]ooms?|[Hh]ouse|[Dd]oors?|[Gg]round|[Ss]urroundings)$/, 'feature, controller, entry point, context'],
  [/^desk$|Desk$/, 'context'],
  [/^(?:persons?|someone|who|whoever)$/, 'user, caller'],
  [/^(?:[Mm]et|everMet|EverMet|[Ss]een)$/, 'discovered, known, visited'],
  [/^(?:held|heldBy|kept)$/, 'cached, stored, last successful'],
  [/^taken$/, 'record, add'],
  [/[Ee]rrand/, 'foreground task'],
  [/^(?:ways?|takeAway)$/, 'link, target'],
  [
    /^(?:[Rr]are|[Ss]ight|[Tt]old|[Tt]ells|[Ss]ays|[Ss]aid|[Aa]sks|[Aa]new|[Gg]one|[Hh]eed)$/,
    'requests, reports, shows, deleted',
  ],
  [/^MOST_/, 'MAX_'],
  [/[a-z]Words$/, 'format…'],
  [/(?<!^(?:lastI|i)ndex|^value|^getPrototype)Of$/, 'get… or a plain noun'],
];
