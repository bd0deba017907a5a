import type { ObjectHistory, HistoryStep } from '../../../protocol/logs.ts';
import { formatLabelled } from '../../../../model/labels.ts';
import { h, type Child } from '../../dom.ts';
import { shorten, createStatusIcon } from '../format.ts';
import { formatTime } from '../time.ts';

interface HistoryActions {
  readonly select: (key: string) => void;
  readonly diff: (key: string) => void;
  readonly open: (kind: string, id: string) => void;
  readonly document: (key: string) => void;
}

const MARKS: Readonly<Record<NonNullable<HistoryStep['mark']>, string>> = {
  break: 'Chain broken',
  fork: 'Fork',
  missing: 'Missing log',
  unsettled: 'Not settled yet',
  failed: 'Failed',
};
const SNAPSHOTS: Readonly<Record<HistoryStep['snapshot'], string>> = {
  both: '',
  prev: 'No snapshot of the new state',
  next: 'No snapshot of the previous state',
  none: 'No snapshots of these states',
};

/** Renders the history of an object: its logs as a chain with marked faults, the newest first. */
export function renderHistory(
  history: ObjectHistory,
  selected: string | undefined,
  actions: HistoryActions,
): readonly Child[] {
  const { steps, object, title } = history;
  return [
    h(
      'header',
      {},
      h('h2', {}, title === object ? 'Object' : title),
      renderLink(object, 'objects', object, actions),
      h('p', { class: `verdict tone ${history.tone}` }, history.busy ? 'Loading action logs…' : history.verdict),
    ),
    history.problem !== undefined &&
      h('div', { class: 'notice', 'data-tone': 'warning', role: 'alert' }, history.problem),
    h(
      'ol',
      { class: 'chain', reversed: true },
      ...[...steps].reverse().map((step) => renderStep(step, step.key === selected, actions)),
    ),
  ];
}

function renderStep(step: HistoryStep, selected: boolean, actions: HistoryActions): HTMLElement {
  const { mark, note, snapshot, changes, key } = step;
  const failed = mark === 'failed';
  return h(
    'li',
    { class: mark === undefined ? undefined : `marked ${mark}`, 'aria-current': selected ? 'true' : undefined },
    h(
      'div',
      { class: 'step' },
      h(
        'button',
        {
          type: 'button',
          class: 'link strong',
          'data-name': `step ${key}`,
          on: {
            click: () => {
              actions.select(key);
            },
          },
        },
        createStatusIcon(step.status),
        h('span', {}, step.action === '' ? 'Unknown action' : step.action),
      ),
      h(
        'span',
        { class: 'muted' },
        `${step.status === '' ? 'Unknown status' : step.status} · ${formatTime(step.time, true)}`,
      ),
      h(
        'span',
        { class: 'muted signer', title: formatLabelled(step.signer, step.signerLabel) },
        step.signer === '' ? 'Unknown signer' : `Signed by ${formatLabelled(shorten(step.signer), step.signerLabel)}`,
      ),
    ),
    note !== undefined &&
      h('p', { class: 'mark-note' }, mark === undefined ? '' : h('strong', {}, `${MARKS[mark]}. `), note),
    !failed &&
      h(
        'p',
        { class: 'roots' },
        h(
          'code',
          { title: step.prev },
          step.created === true
            ? 'None (created by this action)'
            : step.prev === ''
              ? 'Not provided'
              : shorten(step.prev, 20),
        ),
        h('span', { 'aria-label': 'to' }, '→'),
        h('code', { title: step.next }, step.next === '' ? 'Not provided' : shorten(step.next, 20)),
        snapshot === 'both'
          ? h(
              'button',
              {
                type: 'button',
                class: 'link',
                'data-name': `diff ${key}`,
                on: {
                  click: () => {
                    actions.diff(key);
                  },
                },
              },
              'Compare States',
            )
          : h('span', { class: 'muted' }, SNAPSHOTS[snapshot]),
      ),
    changes.length > 0 && h('ul', { class: 'changes' }, ...changes.map((change) => h('li', {}, h('code', {}, change)))),
  );
}

function renderLink(text: string, kind: string, id: string, actions: HistoryActions): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'link',
      'data-name': `open ${id}`,
      on: {
        click: () => {
          actions.open(kind, id);
        },
      },
    },
    h('code', {}, text),
  );
}
