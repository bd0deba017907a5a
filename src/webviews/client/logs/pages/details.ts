import * as l10n from '@vscode/l10n';
import close from '@vscode/codicons/src/icons/close.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import report from '@vscode/codicons/src/icons/markdown.svg';
import tag from '@vscode/codicons/src/icons/tag.svg';
import tree from '@vscode/codicons/src/icons/list-tree.svg';
import type { DetailField, LogDetails, LogRow } from '../../../protocol/logs.ts';
import { createToolButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import { formatFullTime } from '../time.ts';

export interface DetailActions {
  readonly close: () => void;
  readonly open: (kind: string, id: string) => void;
  /** opens an external URL by its index */
  readonly openExternal: (index: number) => void;
  readonly history: (object: string) => void;
  readonly run: (what: 'document' | 'newAction' | 'showInTree' | 'report', key: string) => void;
  readonly copy: (key: string, what: 'id' | 'json') => void;
  /** asks for the label of an address or account name */
  readonly label: (value: string) => void;
}

/** Renders the details of an entry: its commands and sections of names and values. */
export function renderDetails(details: LogDetails, row: LogRow | undefined, actions: DetailActions): readonly Child[] {
  const { key } = details;
  const failed = row?.status === 'failed';
  const [object] = row?.objects ?? [];
  return [
    h(
      'div',
      { class: 'details-head' },
      h('h2', {}, details.title),
      h('span', { class: 'spring' }),
      createToolButton({
        icon: json,
        label: l10n.t('Open JSON Document'),
        onClick: () => actions.run('document', key),
      }),
      createToolButton({ icon: copy, label: l10n.t('Copy JSON'), onClick: () => actions.copy(key, 'json') }),
      createToolButton({
        icon: newFile,
        label: l10n.t('New Action File'),
        onClick: () => actions.run('newAction', key),
      }),
      createToolButton({ icon: tree, label: l10n.t('Show in Tree'), onClick: () => actions.run('showInTree', key) }),
      object !== undefined &&
        createToolButton({
          icon: history,
          label: l10n.t('Show Object History'),
          onClick: () => actions.history(object),
        }),
      failed &&
        createToolButton({
          icon: report,
          label: l10n.t('Open Failure Report'),
          onClick: () => actions.run('report', key),
        }),
      createToolButton({ icon: close, label: l10n.t('Close Details'), onClick: actions.close }),
    ),
    ...details.sections.map(({ title, fields, note }) =>
      h(
        'section',
        {},
        h('h3', {}, title),
        fields.length > 0 &&
          h('dl', {}, ...fields.flatMap((field) => [h('dt', {}, field.name), renderValue(field, actions)])),
        note !== undefined && h('p', { class: 'muted' }, note),
      ),
    ),
    details.busy && h('p', { class: 'muted' }, l10n.t('Loading the batch…')),
  ];
}

function renderValue(field: DetailField, actions: DetailActions): HTMLElement {
  const { link, code, tone, time } = field;
  const value = time === undefined ? field.value : formatFullTime(time);
  const isMultiline = value.includes('\n');
  const text: Child =
    link === undefined
      ? h(
          isMultiline ? 'pre' : code === true ? 'code' : 'span',
          {
            class: tone === undefined ? undefined : `tone ${tone}`,
            title: time === undefined ? undefined : field.value,
          },
          value,
        )
      : h(
          'button',
          {
            type: 'button',
            class: 'link',
            title: l10n.t({ message: 'Open {0}', args: [link.id], comment: 'Tooltip of a link: opens a resource' }),
            on: { click: () => actions.open(link.kind, link.id) },
          },
          h('code', {}, value),
        );
  const { account, externalLink: index } = field;
  return h(
    'dd',
    {},
    text,
    index !== undefined &&
      createToolButton({
        icon: linkExternal,
        label: l10n.t('Open in Browser: {0}', field.name),
        onClick: () => actions.openExternal(index),
      }),
    account !== undefined &&
      createToolButton({ icon: tag, label: l10n.t('Label {0}…', field.name), onClick: () => actions.label(account) }),
  );
}
