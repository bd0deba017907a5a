import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import type { Controls, StatisticsState } from '../../protocol/statistics.ts';
import { h, replaceChildren } from '../dom.ts';

const FIELDS = [
  ['signer', l10n.t('Signer name'), l10n.t('Account name of the signer, not its address')],
  ['action', l10n.t('Action'), l10n.t('Action name (executions and fees)')],
  ['template', l10n.t('Template'), l10n.t('Template ID (objects created)')],
] as const;

/** The fold with the filters of the requests. */
export class Filters {
  readonly element: HTMLDetailsElement;
  readonly #fields = FIELDS.map(([name, label, title]) => {
    const list = h('datalist', { id: `list-${name}` });
    const input = h('input', {
      name,
      title,
      list: list.id,
      placeholder: l10n.t('any'),
      maxlength: 300,
      spellcheck: 'false',
    });
    return { name, label, list, input };
  });
  readonly #summary = h('summary', {});
  readonly #hint = h('span', { class: 'muted', role: 'status' });
  #suggested = '';

  /** `changed`: called with a filter that the user has set. */
  constructor(changed: (part: Partial<Controls>) => void) {
    for (const { name, input } of this.#fields)
      input.addEventListener('change', () => changed({ [name]: input.value.trim() }));
    const labels = this.#fields.map(({ label, input, list }) => h('label', {}, label, input, list));
    this.element = h('details', {}, this.#summary, h('div', { class: 'toolbar' }, ...labels, this.#hint));
  }

  show({ controls, suggestions }: StatisticsState): void {
    const count = this.#fields.filter(({ name }) => controls[name] !== '').length;
    this.#summary.textContent = count === 0 ? l10n.t('Filters') : l10n.t('Filters ({0})', formatNumber(count));
    this.#hint.textContent = /^0x[\da-f]{8,}$|^[\da-z]{32,}$/i.test(controls.signer)
      ? l10n.t('The signer looks like an address. Enter an account name instead.')
      : '';
    for (const { name, input } of this.#fields) if (document.activeElement !== input) input.value = controls[name];
    // A list that is replaced closes.
    const suggested = JSON.stringify(suggestions);
    if (suggested === this.#suggested) return;
    this.#suggested = suggested;
    for (const { name, list } of this.#fields)
      replaceChildren(list, ...suggestions[name].map(({ value, label }) => h('option', { value, label })));
  }
}
