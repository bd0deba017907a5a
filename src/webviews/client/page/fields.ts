/** Names and values of a page: links to other resources, web addresses, and buttons that copy. */
import * as l10n from '@vscode/l10n';
import copy from '@vscode/codicons/src/icons/copy.svg';
import linkExternal from '@vscode/codicons/src/icons/link-external.svg';
import { createButton, createToolButton } from '../controls.ts';
import { getResourceContext, h, type Child } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import type { PageField, PageGroup, pageProtocol } from '../../protocol/page.ts';

export type PagePost = Post<typeof pageProtocol>;

/** Renders fields as a description list. */
export function renderFields(fields: readonly PageField[], className: string, post: PagePost): HTMLElement {
  return h(
    'dl',
    { class: className },
    ...fields.flatMap((field) => [h('dt', { title: field.label }, field.label), renderValue(field, post)]),
  );
}

function renderValue(field: PageField, post: PagePost): HTMLElement {
  const { label, value, detail, copy: text, link, resource, url, code, source } = field;
  const context = resource === undefined ? undefined : getResourceContext(resource);
  const shown =
    source === true
      ? h('pre', { tabindex: 0, role: 'group', 'aria-label': label, 'data-name': `source ${label}` }, value)
      : h(code === true ? 'code' : 'bdi', { 'data-vscode-context': context }, value);
  return h(
    'dd',
    {},
    link === undefined ? shown : renderLink(shown, label, link, post),
    // In one piece: a button never wraps alone.
    h(
      'span',
      { class: 'tail' },
      detail !== undefined && h(link === undefined ? 'span' : 'code', { class: 'muted' }, detail),
      url !== undefined &&
        createToolButton({
          icon: linkExternal,
          label: l10n.t('Open in Browser: {0}', label),
          onClick: () => post('openUrl', { url }),
        }),
      text !== undefined &&
        createToolButton({ icon: copy, label: l10n.t('Copy {0}', label), onClick: () => post('copy', { text }) }),
    ),
  );
}

/** Renders a link to the page of a resource; with Ctrl or Cmd it opens beside. */
export function renderLink(
  content: Child,
  label: string,
  { kind, id }: { readonly kind: string; readonly id: string },
  post: PagePost,
): HTMLElement {
  const onClick = ({ ctrlKey, metaKey }: MouseEvent): void => post('open', { kind, id, beside: ctrlKey || metaKey });
  const button = createButton({ class: 'link', name: `link ${label} ${id}`, onClick }, content);
  button.dataset['vscodeContext'] = getResourceContext({ kind, id });
  return button;
}

/** Renders a group that can be closed. */
export function renderGroup(
  { title, fields, note }: PageGroup,
  isOpen: boolean,
  toggle: (isOpen: boolean) => void,
  post: PagePost,
): HTMLElement {
  const element: HTMLDetailsElement = h(
    'details',
    {
      open: isOpen,
      on: {
        toggle: () => toggle(element.open),
      },
    },
    h('summary', { 'data-name': `group ${title}` }, h('h2', {}, title)),
    renderFields(fields, 'fields', post),
    note !== undefined && h('p', { class: 'muted' }, note),
  );
  return element;
}
