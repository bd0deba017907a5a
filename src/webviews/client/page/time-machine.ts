/** The time machine: a slider over the known states of an object, compared with the state before or another one. */
import * as l10n from '@vscode/l10n';
import { formatStatus } from '../../../model/text/status.ts';
import { pluralize } from '../../../platform/text/localization.ts';
import type { HistoryStep } from '../../protocol/logs.ts';
import type { PageObjectState, PageState } from '../../protocol/page.ts';
import { createButton, createSelect } from '../controls.ts';
import { h, replaceChildren, setText, type Child } from '../dom.ts';
import { formatTime } from '../logs/time.ts';
import type { PagePost } from './fields.ts';
import { findState } from './find-state.ts';

/** Actions between two states that are listed. */
const MAX_ACTIONS = 5;
/** Choice of the state to compare with. */
const BEFORE = 'before';

/** Renders the states, and keeps what the user chose while the history is read again. */
export class TimeMachine {
  readonly element = h('section', { class: 'time-machine', 'aria-label': l10n.t('Earlier states') });
  readonly #post: PagePost;
  readonly #slider: HTMLInputElement;
  readonly #position = h('p', { class: 'muted' });
  readonly #choice = h('label', { class: 'choice' });
  readonly #all: HTMLInputElement;
  readonly #result = h('div', { class: 'result' });
  #states: readonly PageObjectState[] = [];
  #steps: readonly HistoryStep[] = [];
  /** the place of another state, or the state before */
  #compared: string = BEFORE;

  constructor(post: PagePost) {
    this.#post = post;
    const input = (): void => this.#renderResult();
    this.#slider = h('input', { type: 'range', min: 0, step: 1, 'data-name': 'state', on: { input } });
    this.#all = h('input', { type: 'checkbox', 'data-name': 'all-fields', on: { change: input } });
    this.element.append(
      h('h2', {}, l10n.t('Earlier states')),
      h('label', { class: 'slider' }, h('span', {}, l10n.t('State')), this.#slider),
      this.#position,
      h('div', { class: 'lead' }, this.#choice, h('label', { class: 'choice' }, this.#all, l10n.t('Unchanged fields'))),
      this.#result,
    );
  }

  /** Shows the states of an object; a newest one that was selected stays the newest. */
  render({ states }: NonNullable<PageState['timeMachine']>, steps: readonly HistoryStep[]): void {
    const last = this.#states.length - 1;
    const selected = this.#states.length === 0 || this.#selected === last ? undefined : this.#states[this.#selected];
    const at = findState(states, selected);
    const compared = findState(states, this.#states[Number(this.#compared)]);
    this.#states = states;
    this.#steps = steps;
    this.#slider.max = String(states.length - 1);
    this.#slider.value = String(at < 0 ? states.length - 1 : at);
    this.#compared = compared < 0 ? BEFORE : String(compared);
    const choices = [
      { value: BEFORE, label: l10n.t('The state before') },
      ...states.map((_state, index) => ({ value: String(index), label: this.#formatState(index) })),
    ];
    const select = createSelect({
      label: l10n.t('Compare with'),
      name: 'compared-state',
      choices,
      value: this.#compared,
      onSelect: (value) => {
        this.#compared = value;
        this.#renderResult();
      },
    });
    replaceChildren(this.#choice, l10n.t('Compare with'), select);
    this.#renderResult();
  }

  get #selected(): number {
    return Number(this.#slider.value);
  }

  /** `3 of 7: Transfer, Mar 1, 10:00:05 AM` */
  #formatState(index: number): string {
    const { step = -1 } = this.#states[index] ?? {};
    const led = this.#steps[step];
    const what = led === undefined ? l10n.t('before the first log') : `${formatAction(led)}, ${formatTime(led.time)}`;
    const place = l10n.t('{0} of {1}', index + 1, this.#states.length);
    return `${place}: ${what}`;
  }

  #renderResult(): void {
    const selected = this.#selected;
    const compared = this.#compared === BEFORE ? selected - 1 : Number(this.#compared);
    const text = this.#formatState(selected);
    this.#slider.setAttribute('aria-valuetext', text);
    setText(this.#position, text);
    const [from, to] = [compared, selected].toSorted((a, b) => a - b);
    const state = this.#states[selected];
    const other = compared === selected ? undefined : this.#states[compared];
    const isPresent = selected === this.#states.length - 1;
    const restore = (): void => {
      if (state !== undefined) this.#post('restore', { root: state.root });
    };
    replaceChildren(
      this.#result,
      other !== undefined && this.#renderActions(this.#states[from ?? 0], this.#states[to ?? 0]),
      state !== undefined && this.#renderTable(state, other, compared),
      isPresent
        ? h('p', { class: 'muted' }, l10n.t('This is the present state.'))
        : createButton(
            { class: 'secondary', name: 'restore', onClick: restore },
            l10n.t('New Action File That Restores This'),
          ),
    );
  }

  /** The actions that led from one state to a later one. */
  #renderActions(from: PageObjectState | undefined, to: PageObjectState | undefined): Child {
    const between = this.#steps
      .slice((from?.step ?? -1) + 1, (to?.step ?? -1) + 1)
      .filter(({ mark }) => mark !== 'failed' && mark !== 'unsettled');
    const rest = between.length - MAX_ACTIONS;
    return h(
      'ul',
      { class: 'between', 'aria-label': l10n.t('Actions between the two states') },
      ...between.slice(-MAX_ACTIONS).map((step) => {
        const onClick = (): void => this.#post('open', { kind: 'action-logs', id: step.id, beside: false });
        const link = createButton({ class: 'link', name: `between ${step.key}`, onClick }, formatAction(step));
        return h(
          'li',
          {},
          link,
          h('span', { class: 'muted' }, ` ${formatStatus(step.status)} · ${formatTime(step.time)}`),
        );
      }),
      rest > 0 && h('li', { class: 'muted' }, pluralize(rest, l10n.t('{0} earlier action|{0} earlier actions'))),
    );
  }

  #renderTable(state: PageObjectState, other: PageObjectState | undefined, compared: number): Child {
    const values = new Map(state.fields.map(({ label, value }) => [label, value]));
    const others = new Map((other ?? state).fields.map(({ label, value }) => [label, value]));
    const labels = [...new Set([...others.keys(), ...values.keys()])];
    const shown = labels.filter(
      (label) => other === undefined || this.#all.checked || values.get(label) !== others.get(label),
    );
    if (shown.length === 0) return h('p', { class: 'muted' }, l10n.t('The two states have the same fields.'));
    const cell = (value: string | undefined): HTMLElement =>
      h('td', {}, value === undefined ? h('span', { class: 'muted' }, l10n.t('absent')) : h('bdi', {}, value));
    const head = (text: string): HTMLElement => h('th', { scope: 'col' }, text);
    return h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          head(l10n.t('Field')),
          other !== undefined && head(this.#formatState(compared)),
          head(this.#formatState(this.#selected)),
        ),
      ),
      h(
        'tbody',
        {},
        ...shown.map((label) => {
          const isChanged = other !== undefined && values.get(label) !== others.get(label);
          return h(
            'tr',
            { class: isChanged && 'changed' },
            h('th', { scope: 'row' }, label),
            other !== undefined && cell(others.get(label)),
            cell(values.get(label)),
          );
        }),
      ),
    );
  }
}

function formatAction({ action }: HistoryStep): string {
  return action === '' ? l10n.t('Unknown action') : action;
}
