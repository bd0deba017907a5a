import * as l10n from '@vscode/l10n';
import type { Controls, StatisticsState } from '../../protocol/statistics.ts';
import { replaceChildren, h } from '../dom.ts';

interface TextField {
  readonly name: 'interval' | 'timeRange' | 'signer' | 'action' | 'template';
  readonly label: string;
  readonly placeholder: string;
  readonly title: string;
}

const TEXT_FIELDS: readonly TextField[] = [
  {
    name: 'interval',
    label: l10n.t('Interval'),
    placeholder: l10n.t('automatic'),
    title: l10n.t('Grouping interval as a platform keyword'),
  },
  {
    name: 'timeRange',
    label: l10n.t('Time range'),
    placeholder: l10n.t('any'),
    title: l10n.t('Duration such as 14d, or a platform keyword'),
  },
  {
    name: 'signer',
    label: l10n.t('Signer name'),
    placeholder: l10n.t('account name'),
    title: l10n.t('Account name of the signer, not its address'),
  },
  {
    name: 'action',
    label: l10n.t('Action'),
    placeholder: l10n.t('any'),
    title: l10n.t('Action name (executions and fees)'),
  },
  {
    name: 'template',
    label: l10n.t('Template'),
    placeholder: l10n.t('any'),
    title: l10n.t('Template ID (objects created)'),
  },
];

/** Number of fields that are set and not shown by the time picker. */
export function countAdvanced({ interval, signer, action, template, limit }: Controls): number {
  return [interval, signer, action, template].filter((text) => text !== '').length + (limit === 0 ? 0 : 1);
}

/** The fold with the parameters of the requests. */
export class AdvancedForm {
  readonly element: HTMLFormElement;
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #lists = new Map<string, HTMLDataListElement>();
  readonly #suggested = new Map<string, string>();
  readonly #hint = h('span', { class: 'muted', role: 'status' });

  /** `changed`: called with all fields of the form; a new time range replaces the dates. */
  constructor(changed: (part: Partial<Controls>) => void) {
    const onChange = (name: string): void => {
      changed({ ...this.#read(), ...(name === 'timeRange' && { from: '', until: '' }) });
    };
    const input = (name: string, more: Readonly<Record<string, string | number>>): HTMLInputElement => {
      const element = h('input', {
        name,
        spellcheck: 'false',
        autocomplete: 'off',
        ...more,
        on: {
          change: () => {
            onChange(name);
          },
        },
      });
      this.#inputs.set(name, element);
      return element;
    };
    const texts = TEXT_FIELDS.map(({ name, label, placeholder, title }) => {
      const list = h('datalist', { id: `list-${name}` });
      this.#lists.set(name, list);
      const field = input(name, { type: 'text', placeholder, list: list.id, maxlength: 300 });
      return h('label', { title }, label, field, list);
    });
    this.element = h(
      'form',
      {
        id: 'advanced',
        class: 'toolbar',
        'aria-label': l10n.t('Advanced'),
        on: {
          submit: (event) => {
            event.preventDefault();
          },
        },
      },
      ...texts,
      h(
        'label',
        { title: l10n.t('Maximum number of points in a response (1–100)') },
        l10n.t('Limit'),
        input('limit', { type: 'number', min: 1, max: 100, placeholder: '100' }),
      ),
      this.#hint,
    );
  }

  show({ controls, suggestions }: StatisticsState): void {
    for (const { name } of TEXT_FIELDS) this.#setInput(name, controls[name]);
    this.#setInput('limit', controls.limit === 0 ? '' : String(controls.limit));
    this.#setSuggestions('interval', suggestions.interval);
    this.#setSuggestions('timeRange', suggestions.timeRange);
    this.#setSuggestions('action', suggestions.action);
    this.#setSuggestions(
      'signer',
      suggestions.signer.map(({ id }) => id),
      suggestions.signer.map(({ name }) => name),
    );
    this.#setSuggestions(
      'template',
      suggestions.template.map(({ id }) => id),
      suggestions.template.map(({ name }) => name),
    );
    this.#hint.textContent = getHint(controls);
  }

  #setInput(name: string, value: string): void {
    const input = this.#inputs.get(name);
    if (input !== undefined && document.activeElement !== input) input.value = value;
  }

  #setSuggestions(name: string, values: readonly string[], labels: readonly string[] = []): void {
    const list = this.#lists.get(name);
    const now = JSON.stringify([values, labels]);
    if (list === undefined || this.#suggested.get(name) === now) return;
    this.#suggested.set(name, now);
    replaceChildren(list, ...values.map((value, index) => h('option', { value, label: labels[index] })));
  }

  #read(): Omit<Controls, 'from' | 'until' | 'compare'> {
    const text = (name: TextField['name'] | 'limit'): string => this.#inputs.get(name)?.value.trim() ?? '';
    const limit = Math.round(Number(text('limit')));
    return {
      interval: text('interval'),
      timeRange: text('timeRange'),
      signer: text('signer'),
      action: text('action'),
      template: text('template'),
      limit: Number.isFinite(limit) ? Math.min(Math.max(limit, 0), 100) : 0,
    };
  }
}

/** Warns of controls that are valid but likely a mistake. */
function getHint({ signer }: Controls): string {
  return /^0x[\da-f]{8,}$|^[\da-z]{32,}$/i.test(signer)
    ? l10n.t('The signer looks like an address. Enter an account name instead.')
    : '';
}
