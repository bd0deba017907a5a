import * as l10n from '@vscode/l10n';
import { formatBytes } from '../../../platform/text/localization.ts';
import {
  COPY_FORMATS,
  type BodyPart,
  type CopyFormat,
  type RequestBody,
  type RequestDetails,
  type RequestRow,
  type requestsProtocol,
} from '../../protocol/requests.ts';
import { createButton, createToolButton } from '../controls.ts';
import { h, type Child } from '../dom.ts';
import type { Post } from '../host-connection.ts';
import { formatDuration, formatOutcome, listTimings, PART_LABELS } from './columns.ts';

const COPY_LABELS: Readonly<Record<CopyFormat, string>> = {
  curl: l10n.t('Copy as cURL'),
  fetch: l10n.t('Copy as fetch'),
  python: l10n.t('Copy as Python'),
};

/** What the buttons of the details do. */
interface RequestActions {
  readonly post: Post<typeof requestsProtocol>;
  readonly repeat: () => void;
  readonly close: () => void;
}

/** Renders a request with its headers and bodies. */
export function renderDetails(
  row: RequestRow,
  details: RequestDetails,
  { post, repeat, close }: RequestActions,
): readonly Child[] {
  const { id } = row;
  const openBody = (part: BodyPart): void => post('openBody', { id, part });
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Status'), formatOutcome(row)],
    [l10n.t('Error'), row.error],
    [l10n.t('Request ID'), row.requestId],
    [l10n.t('Rate Limit'), row.rateLimit],
    [l10n.t('Attempt'), row.attempt > 1 ? String(row.attempt) : undefined],
  ];
  const timings = listTimings(row).map(([part, time]) => ({
    name: PART_LABELS[part],
    value: formatDuration(time),
    class: `part ${part}`,
  }));
  const button = (name: string, label: string, onClick: () => void): HTMLElement =>
    createButton({ class: 'secondary', name, onClick }, label);
  return [
    h(
      'div',
      { class: 'details-head' },
      h('h2', {}, row.operation),
      createToolButton({ label: l10n.t('Close'), onClick: close }),
    ),
    h('p', { class: 'url' }, details.url),
    h(
      'div',
      { class: 'actions' },
      row.isRead && button('repeat', l10n.t('Repeat'), repeat),
      ...(details.isKept ? COPY_FORMATS : []).map((format) =>
        button(format, COPY_LABELS[format], () => post('copy', { id, format })),
      ),
    ),
    renderPairs([...facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])), ...timings]),
    !details.isKept &&
      h('p', { class: 'muted' }, l10n.t('Headers and bodies of this request are not kept, to limit memory.')),
    ...renderBody('request', l10n.t('Request Body'), details.requestBody, openBody),
    ...renderBody('response', l10n.t('Response Body'), details.responseBody, openBody),
    ...renderHeaders(l10n.t('Request Headers'), details.requestHeaders),
    ...renderHeaders(l10n.t('Response Headers'), details.responseHeaders),
  ];
}

function renderHeaders(title: string, headers: RequestDetails['requestHeaders']): readonly Child[] {
  return headers.length === 0 ? [] : [h('h3', {}, title), renderPairs(headers)];
}

function renderPairs(pairs: RequestDetails['requestHeaders']): HTMLElement {
  return h('dl', {}, ...pairs.flatMap(({ name, value }) => [h('dt', {}, name), h('dd', {}, value)]));
}

function renderBody(
  part: BodyPart,
  title: string,
  body: RequestBody | undefined,
  openBody: (part: BodyPart) => void,
): readonly Child[] {
  if (body === undefined || body.size === 0) return [];
  return [
    h('h3', {}, `${title} · ${formatBytes(body.size)}`),
    h('pre', {}, body.isWhole ? body.preview : `${body.preview}…`),
    createButton({ class: 'secondary', name: part, onClick: () => openBody(part) }, l10n.t('Open in Editor')),
  ];
}
