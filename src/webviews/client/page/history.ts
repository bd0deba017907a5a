import * as l10n from '@vscode/l10n';
import type { ObjectHistory, HistoryStep } from '../../protocol/logs.ts';
import { formatLabelled } from '../../../model/text/labels.ts';
import { createButton, createNotice } from '../controls.ts';
import { h, type Child } from '../dom.ts';
import { shorten, createStatusIcon } from '../logs/format.ts';
import { formatTime } from '../logs/time.ts';
import { formatStatus } from '../../../model/text/status.ts';

interface HistoryActions {
  readonly select: (key: string) => void;
  readonly diff: (key: string) => void;
}

const MARKS: Readonly<Record<NonNullable<HistoryStep['mark']>, string>> = {
  break: l10n.t('Chain broken'),
  fork: l10n.t({ message: 'Fork', args: [], comment: 'Noun: two action logs start from the same state root' }),
  missing: l10n.t('Missing log'),
  unsettled: l10n.t('Not settled yet'),
  failed: l10n.t('Failed'),
};
const SNAPSHOTS: Readonly<Record<HistoryStep['snapshot'], string>> = {
  both: '',
  prev: l10n.t('No snapshot of the new state'),
  next: l10n.t('No snapshot of the previous state'),
  none: l10n.t('No snapshots of these states'),
};

/** Renders the history of an object: its logs as a chain with marked faults, the newest first. */
export function renderHistory(history: ObjectHistory, actions: HistoryActions): readonly Child[] {
  const { steps, busy, verdict, tone, problem } = history;
  return [
    h('p', { class: `verdict tone ${tone}` }, busy ? l10n.t('Loading action logs…') : verdict),
    problem !== undefined && createNotice({ text: problem, tone: 'warning', role: 'alert' }),
    h('ol', { class: 'chain', reversed: true }, ...[...steps].reverse().map((step) => renderStep(step, actions))),
  ];
}

function renderStep(step: HistoryStep, actions: HistoryActions): HTMLElement {
  const { mark, note, snapshot, changes, key } = step;
  const failed = mark === 'failed';
  return h(
    'li',
    { class: mark === undefined ? undefined : `marked ${mark}` },
    h(
      'div',
      { class: 'step' },
      createButton(
        { class: 'link strong', name: `step ${key}`, onClick: () => actions.select(key) },
        createStatusIcon(step.status),
        h('span', {}, step.action === '' ? l10n.t('Unknown action') : step.action),
      ),
      h(
        'span',
        { class: 'muted' },
        `${step.status === '' ? l10n.t('Unknown status') : formatStatus(step.status)} · ${formatTime(step.time, true)}`,
      ),
      h(
        'span',
        { class: 'muted signer', title: formatLabelled(step.signer, step.signerLabel) },
        step.signer === ''
          ? l10n.t('Unknown signer')
          : l10n.t('Signed by {0}', formatLabelled(shorten(step.signer), step.signerLabel)),
      ),
    ),
    note !== undefined &&
      h('p', { class: 'mark-note' }, mark === undefined ? '' : h('strong', {}, `${MARKS[mark]}. `), note),
    !failed &&
      h(
        'p',
        { class: 'roots' },
        h(
          step.prev === '' ? 'span' : 'code',
          { title: step.prev },
          step.created === true
            ? l10n.t('None (created by this action)')
            : step.prev === ''
              ? l10n.t('Not provided')
              : shorten(step.prev, 20),
        ),
        h(
          'span',
          {
            role: 'img',
            'aria-label': l10n.t({
              message: 'to',
              args: [],
              comment: 'Between two states: from the first to the second',
            }),
          },
          '→',
        ),
        h(
          step.next === '' ? 'span' : 'code',
          { title: step.next },
          step.next === '' ? l10n.t('Not provided') : shorten(step.next, 20),
        ),
        snapshot === 'both'
          ? createButton(
              { class: 'link', name: `diff ${key}`, onClick: () => actions.diff(key) },
              l10n.t('Compare States'),
            )
          : h('span', { class: 'muted' }, SNAPSHOTS[snapshot]),
      ),
    changes.length > 0 && h('ul', { class: 'changes' }, ...changes.map((change) => h('li', {}, h('code', {}, change)))),
  );
}
