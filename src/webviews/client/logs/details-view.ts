/** Everything about the chosen entry, beside the table: sections of names and values, and what can be done with it. */
import close from '@vscode/codicons/src/icons/close.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import json from '@vscode/codicons/src/icons/json.svg';
import newFile from '@vscode/codicons/src/icons/new-file.svg';
import outside from '@vscode/codicons/src/icons/link-external.svg';
import report from '@vscode/codicons/src/icons/markdown.svg';
import tree from '@vscode/codicons/src/icons/list-tree.svg';
import type { DetailField, Details, LogRow } from '../../protocol-logs.ts';
import { toolButton } from '../controls.ts';
import { h, type Child } from '../kit.ts';

export interface DetailActions {
  readonly close: () => void;
  readonly open: (kind: string, id: string) => void;
  readonly outside: (index: number) => void;
  readonly history: (object: string) => void;
  readonly run: (what: 'document' | 'newAction' | 'showInTree' | 'report', key: string) => void;
  readonly copy: (key: string, what: 'id' | 'json') => void;
}

export function detailParts(details: Details, row: LogRow | undefined, actions: DetailActions): readonly Child[] {
  const { key } = details;
  const failed = row?.status === 'failed';
  const [object] = row?.objects ?? [];
  return [
    h(
      'div',
      { class: 'details-head' },
      h('h2', {}, details.title),
      h('span', { class: 'spring' }),
      toolButton({
        icon: json,
        label: 'Open JSON document',
        run: () => {
          actions.run('document', key);
        },
      }),
      toolButton({
        icon: copy,
        label: 'Copy JSON',
        run: () => {
          actions.copy(key, 'json');
        },
      }),
      toolButton({
        icon: newFile,
        label: 'New action file from this',
        run: () => {
          actions.run('newAction', key);
        },
      }),
      toolButton({
        icon: tree,
        label: 'Show in tree',
        run: () => {
          actions.run('showInTree', key);
        },
      }),
      object !== undefined &&
        toolButton({
          icon: history,
          label: 'What changed this object?',
          run: () => {
            actions.history(object);
          },
        }),
      failed &&
        toolButton({
          icon: report,
          label: 'Report this failure as Markdown',
          run: () => {
            actions.run('report', key);
          },
        }),
      toolButton({ icon: close, label: 'Close details', run: actions.close }),
    ),
    ...details.sections.map(({ title, fields, note }) =>
      h(
        'section',
        {},
        h('h3', {}, title),
        fields.length > 0 &&
          h('dl', {}, ...fields.flatMap((field) => [h('dt', {}, field.name), valueOf(field, actions)])),
        note !== undefined && h('p', { class: 'muted' }, note),
      ),
    ),
    details.busy && h('p', { class: 'muted' }, 'Reading its batch…'),
  ];
}

function valueOf(field: DetailField, actions: DetailActions): HTMLElement {
  const { value, link, code, tone } = field;
  const several = value.includes('\n');
  const text: Child =
    link === undefined
      ? h(
          several ? 'pre' : code === true ? 'code' : 'span',
          { class: tone === undefined ? undefined : `tone ${tone}` },
          value,
        )
      : h(
          'button',
          {
            type: 'button',
            class: 'link',
            title: `Open ${link.kind} ${link.id}`,
            on: {
              click: () => {
                actions.open(link.kind, link.id);
              },
            },
          },
          h('code', {}, value),
        );
  const index = field.outside;
  return h(
    'dd',
    {},
    text,
    index !== undefined &&
      toolButton({
        icon: outside,
        label: `Open ${field.name.toLowerCase()} in the browser`,
        run: () => {
          actions.outside(index);
        },
      }),
  );
}
