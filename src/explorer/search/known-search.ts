/** Searches what was seen, in memory: names, ids, labels and values of fields, narrowed by owner, template and kind. */
import * as l10n from '@vscode/l10n';
import type { KnownId } from '../../cache/id-index.ts';
import type { GetTitle } from '../../model/resources/filter-fields.ts';
import type { Labels } from '../../model/text/labels.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { formatList } from '../../platform/text/localization.ts';

/** A search as typed: `jacket @anna #"Wool Passport" :objects`. All terms are in lower case. */
export interface SearchTerms {
  readonly words: readonly string[];
  readonly owners: readonly string[];
  readonly templates: readonly string[];
  readonly kinds: readonly string[];
}

export interface KnownSearchOptions {
  readonly connection: string;
  /** all known resources, newest first */
  readonly known: Iterable<KnownId>;
  readonly definitions: Readonly<Record<string, ResourceDefinition>>;
  readonly labels: Pick<Labels, 'get' | 'all'>;
  readonly getTitle: GetTitle;
  /** the account of the credential, which `@me` stands for */
  readonly subject: string | undefined;
}

/** Parses a search. A prefix without a term, which is still being typed, narrows nothing. */
export function parseSearchTerms(text: string): SearchTerms {
  const terms = { words: [], owners: [], templates: [], kinds: [] } satisfies Record<keyof SearchTerms, string[]>;
  const lists: Readonly<Record<string, string[]>> = { '@': terms.owners, '#': terms.templates, ':': terms.kinds };
  for (const [, prefix = '', quoted, word = ''] of text.toLowerCase().matchAll(/([@#:]?)(?:"([^"]*)"?|(\S+))/g)) {
    const term = quoted ?? word;
    if (term !== '' && !/^[@#:]$/.test(term)) (lists[prefix] ?? terms.words).push(term);
  }
  return terms;
}

/** Returns the kinds whose name or label, or if none does a later word of it, begins with `:kind`; all without one. */
export function selectKinds(
  { kinds }: SearchTerms,
  definitions: KnownSearchOptions['definitions'],
): KnownSearchOptions['definitions'] {
  if (kinds.length === 0) return definitions;
  const select = (begins: (name: string, term: string) => boolean): KnownSearchOptions['definitions'] =>
    Object.fromEntries(
      Object.entries(definitions).filter(([, { kind, label, singular }]) =>
        [kind, label, singular].some((name) => kinds.some((term) => begins(name.toLowerCase(), term))),
      ),
    );
  const named = select((name, term) => name.startsWith(term));
  return Object.keys(named).length > 0
    ? named
    : select((name, term) => name.split(/[\s-]/).some((word) => word.startsWith(term)));
}

/** Returns why no resource can match these terms, as a description of “No results”; empty if one can. */
export function explainNoResults(
  terms: SearchTerms,
  { definitions, subject }: Pick<KnownSearchOptions, 'definitions' | 'subject'>,
): string {
  if (Object.keys(selectKinds(terms, definitions)).length === 0) {
    const labels = Object.values(definitions).map(({ label }) => label);
    return l10n.t('the kinds are {0}', formatList(labels, 'unit'));
  }
  return terms.owners.includes('me') && subject === undefined
    ? l10n.t('the account of this credential is unknown, so use an address or a label instead of {0}', '@me')
    : '';
}

/**
 * Returns a function that tells whether a resource matches: every word is in its name, id or fields, or in a label of an
 * id among these.
 */
export function createMatcher(terms: SearchTerms, options: KnownSearchOptions): (known: KnownId) => boolean {
  const { labels, getTitle, subject } = options;
  const kinds = selectKinds(terms, options.definitions);
  const findLabelled = (term: string): readonly string[] =>
    labels.all.filter(({ text }) => text.toLowerCase().includes(term)).map(({ value }) => value.toLowerCase());
  const words = terms.words.map((word) => [word, ...findLabelled(word)]);
  const owners = terms.owners.map((term) => [
    ...(term === 'me' && subject !== undefined ? [subject.toLowerCase()] : [term]),
    ...findLabelled(term),
  ]);
  const templateTitles = new Map<string, string>();
  const getTemplate = (id: string): string => {
    const title = templateTitles.get(id) ?? `${id} ${getTitle('templates', id) ?? ''}`.toLowerCase();
    templateTitles.set(id, title);
    return title;
  };
  return (known) => {
    if (kinds[known.kind] === undefined) return false;
    const owner = known.owner?.toLowerCase() ?? '';
    if (!owners.every((values) => values.some((value) => owner.includes(value)))) return false;
    const text = known.text ?? `${known.id}\n${known.title}`.toLowerCase();
    return (
      words.every((values) => values.some((value) => text.includes(value))) &&
      // An edition is written like a template.
      terms.templates.every(
        (term) =>
          (known.template !== undefined && getTemplate(known.template).includes(term)) || text.includes(`#${term}`),
      )
    );
  };
}

/** Returns the first matches by name or id, and those by a field or label, newest first. Sends no request. */
export function searchKnown(
  terms: SearchTerms,
  options: KnownSearchOptions,
  maximum: number,
): { readonly byName: readonly KnownId[]; readonly byField: readonly KnownId[] } {
  const isMatch = createMatcher(terms, options);
  const byName: KnownId[] = [];
  const byField: KnownId[] = [];
  for (const known of options.known) {
    if (known.connection !== options.connection || !isMatch(known)) continue;
    const name = `${known.id}\n${known.title}`.toLowerCase();
    const target = terms.words.every((word) => name.includes(word)) ? byName : byField;
    if (target.length < maximum) target.push(known);
    if (byName.length === maximum) break;
  }
  return { byName, byField };
}
