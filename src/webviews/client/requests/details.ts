import * as l10n from '@vscode/l10n';
import { formatBytes } from '../../../platform/text/localization.ts';
import {
  COPY_FORMATS,
  type BodyPart,
  type CopyFormat,
  type RequestBody,
  type RequestDetails,
  type RequestRow,
} from '../../protocol/requests.ts';
import { createButton, createToolButton } from '../controls.ts';
import { h, type Child } from '../dom.ts';
import { formatDuration, formatOutcome, listTimings, PART_LABELS } from './columns.ts';

const COPY_LABELS: Readonly<Record<CopyFormat, string>> = {
  curl: l10n.t('Copy as cURL'),
  fetch: l10n.t('Copy as fetch'),
  python: l10n.t('Copy as Python'),
};

/** What the buttons of the details do. */
export interface RequestActions {
  readonly openBody: (part: BodyPart) => void;
  readonly copy: (format: CopyFormat) => void;
  readonly repeat: () => void;
  readonly close: () => void;
}

/** Renders a request with its headers and bodies. */
export function renderDetails(row: RequestRow, details: RequestDetails, actions: RequestActions): readonly Child[] {
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
      createToolButton({ label: l10n.t('Close'), onClick: actions.close }),
    ),
    h('p', { class: 'url' }, details.url),
    h(
      'div',
      { class: 'actions' },
      row.isRead && button('repeat', l10n.t('Repeat'), actions.repeat),
      ...(details.isKept ? COPY_FORMATS : []).map((format) =>
        button(format, COPY_LABELS[format], () => actions.copy(format)),
      ),
    ),
    renderPairs([...facts.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])), ...timings]),
    !details.isKept &&
      h('p', { class: 'muted' }, l10n.t('Headers and bodies of this request are not kept, to limit memory.')),
    ...renderBody('request', l10n.t('Request Body'), details.requestBody, actions),
    ...renderBody('response', l10n.t('Response Body'), details.responseBody, actions),
    ...renderHeaders(l10n.t('Request Headers'), details.requestHeaders),
    ...renderHeaders(l10n.t('Response Headers'), details.responseHeaders),
  ];
}

function renderHeaders(title: string, headers: RequestDetails['requestHeaders']): readonly Child[] {
  return headers.length === 0 ? [] : [h('h3', {}, title), renderPairs(headers)];
}

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly class?: string;
}

function renderPairs(pairs: readonly Pair[]): HTMLElement {
  return h(
    'dl',
    {},
    ...pairs.flatMap(({ name, value, ...attributes }) => [h('dt', attributes, name), h('dd', {}, value)]),
  );
}

function renderBody(
  part: BodyPart,
  title: string,
  body: RequestBody | undefined,
  actions: RequestActions,
): readonly Child[] {
  if (body === undefined || body.size === 0) return [];
  return [
    h('h3', {}, `${title} · ${formatBytes(body.size)}`),
    h('pre', {}, body.isWhole ? body.preview : `${body.preview}…`),
    createButton({ class: 'secondary', name: part, onClick: () => actions.openBody(part) }, l10n.t('Open in Editor')),
  ];
}
