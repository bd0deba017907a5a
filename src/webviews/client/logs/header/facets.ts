import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../../platform/text/localization.ts';
import type { LogRow, ShownTemplate } from '../../../protocol/logs.ts';
import { createButton } from '../../controls.ts';
import { h } from '../../dom.ts';
import { shorten } from '../format.ts';
import type { RowsModel } from '../table/rows-model.ts';
import { hasFacetTerm, type Facet, type SearchQuery } from '../table/search.ts';
import { toneLabels } from './chart.ts';
import { tones, type Tone } from './histogram.ts';

const FACET_LABELS: Readonly<Record<Facet, string>> = {
  status: l10n.t('Status'),
  action: l10n.t('Action'),
  signer: l10n.t('Signer'),
  template: l10n.t('Template'),
};

/** Shown values of a field; rarer ones are found by their text. */
const MAX_VALUES = 10;

/** Adds a value to the search or removes it; `excluded`: excludes it or includes it again. */
type Toggle = (facet: Facet, value: string, excluded?: boolean) => void;

/**
 * Renders the values of each field with their counts, as buttons that narrow the search to them. Calls `showUnnamed` with
 * the templates that are shown by their ids.
 */
export function renderFacets(
  model: RowsModel,
  toggle: Toggle,
  showUnnamed: (templates: ShownTemplate[]) => void,
): readonly HTMLElement[] {
  const facets = model.countFacets();
  const templates = facets.get('template')?.slice(0, MAX_VALUES) ?? [];
  showUnnamed(
    templates.flatMap(({ value: id, example }) =>
      getTemplateName(id, example) === undefined ? [{ connection: example.connection, id }] : [],
    ),
  );
  return [...facets].flatMap(([facet, values]) =>
    values.length === 0
      ? []
      : h(
          'div',
          { class: 'facet', role: 'group', 'aria-label': FACET_LABELS[facet] },
          h('h2', { class: 'muted' }, FACET_LABELS[facet]),
          h(
            'ul',
            {},
            ...values.slice(0, MAX_VALUES).map(({ value, count, example }) => {
              const label = formatValue(facet, value, example);
              const button = createButton(
                {
                  class: 'tool',
                  isPressed: hasFacetTerm(model.search, facet, value),
                  name: `${facet}:${value}`,
                  title: label === value ? value : `${label}\n${value}`,
                  onClick: () => toggle(facet, value),
                },
                h('span', {}, label),
                h('span', { class: 'count' }, formatNumber(count)),
              );
              return h('li', {}, button);
            }),
          ),
        ),
  );
}

function formatValue(facet: Facet, value: string, row: LogRow): string {
  switch (facet) {
    case 'status':
      return toneLabels[tones.find((tone) => tone === value) ?? 'other'];
    case 'action':
      return value;
    case 'signer':
      return row.signerLabel ?? shorten(value);
    case 'template':
      return getTemplateName(value, row) ?? shorten(value);
  }
}

function getTemplateName(id: string, { templates, templateName }: LogRow): string | undefined {
  return templates?.[0] === id ? templateName : undefined;
}

/** The legend of the histogram: a button for each status, which shows or hides its entries. */
export class Legend {
  readonly element: HTMLElement;
  readonly #buttons: ReadonlyMap<Tone, HTMLButtonElement>;

  /** `getSearch`: returns the search in effect, which may not be shown yet. */
  constructor(toggle: Toggle, getSearch: () => SearchQuery) {
    this.#buttons = new Map(
      tones.map((tone) => [
        tone,
        createButton(
          {
            class: `tool ${tone}`,
            name: `legend ${tone}`,
            title: l10n.t('Show or Hide Entries: {0}', toneLabels[tone]),
            onClick: () => {
              // Among chosen statuses, it is chosen too.
              const isChoice = getSearch().facetTerms.some(({ facet, excluded }) => facet === 'status' && !excluded);
              toggle('status', tone, !isChoice);
            },
          },
          toneLabels[tone],
        ),
      ]),
    );
    this.element = h(
      'div',
      { class: 'legend', role: 'group', 'aria-label': l10n.t('Status') },
      ...this.#buttons.values(),
    );
  }

  /** Shows which statuses a search includes. */
  show(search: SearchQuery): void {
    for (const [tone, button] of this.#buttons) button.ariaPressed = String(search.includesValue('status', tone));
  }
}
