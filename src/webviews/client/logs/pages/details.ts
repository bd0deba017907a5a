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
import { createButton, createToolButton } from '../../controls.ts';
import { h, type Child } from '../../dom.ts';
import type { LogsPost } from '../header/header-actions.ts';
import { formatFullTime } from '../time.ts';

/** Renders the details of an entry: its commands and sections of names and values. */
export function renderDetails(
  details: LogDetails,
  row: LogRow | undefined,
  post: LogsPost,
  onClose: () => void,
): readonly Child[] {
  const { key } = details;
  const [connection = ''] = key.split('\n');
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
        onClick: () => post('document', { key }),
      }),
      createToolButton({ icon: copy, label: l10n.t('Copy JSON'), onClick: () => post('copy', { key, what: 'json' }) }),
      createToolButton({
        icon: newFile,
        label: l10n.t('New Action File'),
        onClick: () => post('newAction', { key }),
      }),
      createToolButton({ icon: tree, label: l10n.t('Show in Tree'), onClick: () => post('showInTree', { key }) }),
      object !== undefined &&
        createToolButton({
          icon: history,
          label: l10n.t('Show Object History'),
          onClick: () => post('history', { connection, object }),
        }),
      failed &&
        createToolButton({
          icon: report,
          label: l10n.t('Open Failure Report'),
          onClick: () => post('report', { key }),
        }),
      createToolButton({ icon: close, label: l10n.t('Close Details'), onClick: onClose }),
    ),
    ...details.sections.map(({ title, fields, note }) =>
      h(
        'section',
        {},
        h('h3', {}, title),
        fields.length > 0 &&
          h('dl', {}, ...fields.flatMap((field) => [h('dt', {}, field.name), renderValue(field, connection, post)])),
        note !== undefined && h('p', { class: 'muted' }, note),
      ),
    ),
    details.busy && h('p', { class: 'muted' }, l10n.t('Loading the batch…')),
  ];
}

function renderValue(field: DetailField, connection: string, post: LogsPost): HTMLElement {
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
      : createButton(
          {
            class: 'link',
            name: `details ${link.id}`,
            title: l10n.t({ message: 'Open {0}', args: [link.id], comment: 'Tooltip of a link: opens a resource' }),
            onClick: () => post('open', { connection, ...link }),
          },
          h('code', {}, value),
        );
  const { account, url } = field;
  return h(
    'dd',
    {},
    text,
    url !== undefined &&
      createToolButton({
        icon: linkExternal,
        label: l10n.t('Open in Browser: {0}', field.name),
        onClick: () => post('openUrl', { url }),
      }),
    account !== undefined &&
      createToolButton({
        icon: tag,
        label: l10n.t('Label {0}…', field.name),
        onClick: () => post('label', { value: account }),
      }),
  );
}
