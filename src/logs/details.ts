/** Pure: everything about one entry, in sections for the place beside the table. */
import { actionIdOf, affectedObjectsOf, feeOf, signerOf } from '../platform/action-log-fields.ts';
import { isObject, own, type JsonObject } from '../platform/json.ts';
import { fillLink } from '../platform/link-template.ts';
import { plainText } from '../platform/plain-text.ts';
import { localTime, parseDateTime } from '../ui/times.ts';
import {
  NO_REASON,
  reasonSources,
  type DetailField,
  type Details,
  type ReasonSource,
} from '../webviews/protocol-logs.ts';
import { messageOf } from './entry.ts';

type Section = Details['sections'][number];
type Links = Readonly<Partial<Record<'transaction' | 'object' | 'template' | 'action' | 'account', string>>>;

export interface DetailParts {
  readonly key: string;
  readonly raw: JsonObject;
  /** of the row: why it failed, where anything says so */
  readonly reason?: { readonly text: string; readonly from: ReasonSource } | undefined;
  readonly connection: string;
  /** what is known of its batch: the raw batch, or why there is none */
  readonly batch?: JsonObject | string | undefined;
  readonly links: Links;
  readonly busy: boolean;
}

export interface DetailPage {
  readonly details: Details;
  /** outside addresses, by the index that a field names */
  readonly outside: readonly string[];
}

const TONES: Readonly<Record<string, DetailField['tone']>> = {
  completed: 'ok',
  failed: 'bad',
  pending: 'busy',
  processing: 'busy',
};
const OBJECTS = 50;
const LONG = 20_000;

export function detailsOf(parts: DetailParts): DetailPage {
  const { raw, batch, links, reason } = parts;
  const outside: string[] = [];
  const away = (template: string | undefined, value: string): { readonly outside?: number } => {
    const address = fillLink(template, value);
    return address === undefined ? {} : { outside: outside.push(address) - 1 };
  };
  const status = textOf(raw['status']);
  const message = messageOf(raw);
  const said = reason ?? (message === '' ? undefined : { text: message, from: 'log' as const });
  const noReason = status === 'failed' ? NO_REASON : '';
  const sections: Section[] = [
    {
      title: 'Entry',
      fields: present([
        { name: 'Status', value: status === '' ? 'not said' : status, tone: own(TONES, status) ?? 'unknown' },
        { name: 'Why', value: said === undefined ? noReason : `${said.text} (${reasonSources[said.from]})` },
        {
          name: 'Action',
          value: [raw['action_name'] ?? raw['name'], raw['action_alias'] ?? raw['alias']]
            .map(textOf)
            .filter(Boolean)
            .join(' · '),
        },
        { name: 'Created', value: when(raw['when_created']) },
        { name: 'Modified', value: when(raw['when_modified']) },
        { name: 'Fee', value: feeOf(raw) },
        { name: 'Id', value: textOf(raw['id']), code: true, link: { kind: 'action-logs', id: textOf(raw['id']) } },
        { name: 'Action id', value: actionIdOf(raw), code: true },
        { name: 'Signer', value: signerOf(raw), code: true, ...away(links.account, textOf(raw['signer'])) },
        { name: 'Wallet', value: textOf(raw['wallet_id']), code: true },
        { name: 'Version', value: textOf(raw['version']) },
      ]),
    },
    { title: 'Parameters', fields: paramsOf(raw['params']) },
    objectsOf(raw, links, away),
    {
      title: 'Proof',
      fields: present([
        { name: 'Hash', value: textOf(raw['hash']), code: true, ...away(links.action, textOf(raw['hash'])) },
        { name: 'Params hash', value: textOf(raw['params_hash']), code: true },
        { name: 'State root', value: textOf(raw['state_root'] ?? raw['state_hash']), code: true },
        { name: 'Signature', value: textOf(raw['signature']), code: true },
      ]),
    },
    batchOf(textOf(raw['batch_id']), batch, links, away),
  ];
  const title = plainText(
    textOf(raw['action_alias'] ?? raw['alias'] ?? raw['action_name'] ?? raw['name'] ?? raw['id']),
    80,
  );
  return {
    details: {
      key: parts.key,
      title: title === '' ? 'Action log' : title,
      sections: sections.filter(({ fields, note }) => fields.length > 0 || note !== undefined),
      busy: parts.busy,
    },
    outside,
  };
}

type Away = (template: string | undefined, value: string) => { readonly outside?: number };

function objectsOf(raw: JsonObject, links: Links, away: Away): Section {
  const list = affectedObjectsOf(raw);
  const fields = list.slice(0, OBJECTS).flatMap(({ id, templateId: template, previousRoot, nextRoot, created }) =>
    present([
      { name: 'Object', value: id, code: true, link: { kind: 'objects', id }, ...away(links.object, id) },
      { name: 'Template', value: template, code: true, link: { kind: 'templates', id: template } },
      { name: 'From root', value: previousRoot || (created ? 'none: it was made here' : ''), code: true },
      { name: 'To root', value: nextRoot, code: true },
    ]),
  );
  const more = list.length - OBJECTS;
  return {
    title: list.length > 1 ? `Affected objects (${list.length})` : 'Affected object',
    fields,
    ...(more > 0 && { note: `and ${more} more: open the document` }),
  };
}

function batchOf(id: string, batch: JsonObject | string | undefined, links: Links, away: Away): Section {
  if (id === '') return { title: 'Batch', fields: [], note: 'In no batch yet' };
  const itself: DetailField = { name: 'Batch', value: id, code: true, link: { kind: 'batches', id } };
  if (typeof batch === 'string') return { title: 'Batch', fields: [itself], note: batch };
  if (batch === undefined) return { title: 'Batch', fields: [itself] };
  const status = textOf(batch['status']);
  const transaction = textOf(batch['l1_tx_hash']);
  const second = textOf(batch['l2_tx_hash']);
  return {
    title: 'Batch',
    fields: [
      itself,
      ...present([
        { name: 'Settlement', value: status, tone: own(TONES, status) ?? 'unknown' },
        { name: 'Why', value: textOf(batch['error']) },
        { name: 'Transaction', value: settled(transaction), code: true, ...away(links.transaction, transaction) },
        { name: 'Second layer', value: settled(second), code: true, ...away(links.transaction, second) },
        { name: 'Block', value: /^0?$/.test(textOf(batch['l1_block_num'])) ? '' : textOf(batch['l1_block_num']) },
        { name: 'Completed', value: when(batch['when_completed']) },
        { name: 'Actions', value: textOf(batch['actions_count']) },
      ]),
    ],
  };
}

/** Zeros alone stand for a hash before settlement. */
function settled(hash: string): string {
  return /^(?:0x)?0+$/i.test(hash) ? 'not on the chain yet' : hash;
}

/** The contract has an array; newer deployments send an object. */
function paramsOf(params: unknown): DetailField[] {
  const parts: readonly unknown[] = Array.isArray(params) ? params : params === undefined ? [] : [params];
  const fields = parts.flatMap((part, index) =>
    isObject(part) && Object.keys(part).length > 0
      ? Object.entries(part).map(([name, value]) => ({ name, value }))
      : [{ name: String(index + 1), value: part }],
  );
  return fields.slice(0, 100).map(({ name, value }) => {
    const scalar = textOf(value);
    const id = linkFor(name, scalar);
    return {
      name: plainText(name, 80),
      value: cut(scalar !== '' || typeof value === 'string' ? scalar : JSON.stringify(value, null, 2)),
      code: true,
      ...(id !== undefined && { link: id }),
    };
  });
}

function linkFor(name: string, value: string): { readonly kind: string; readonly id: string } | undefined {
  if (value === '' || value.length > 300) return undefined;
  if (name === 'template_id') return { kind: 'templates', id: value };
  return name === 'id' || name === 'object_id' ? { kind: 'objects', id: value } : undefined;
}

function present(fields: readonly DetailField[]): DetailField[] {
  return fields
    .filter(({ value }) => value !== '')
    .map((field) => {
      const { link, value } = field;
      const { link: _link, ...rest } = field;
      const linked = link === undefined || link.id === '' || link.id.length > 300 ? rest : field;
      return { ...linked, value: cut(value) };
    });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : '';
}

function when(value: unknown): string {
  const text = textOf(value);
  const time = parseDateTime(text);
  return time === undefined ? text : `${localTime(time)} (${text})`;
}

function cut(text: string): string {
  // Lines of JSON stay lines; the rest is made harmless like any text of the server's.
  const lines = text.slice(0, LONG).split('\n').slice(0, 400);
  return lines
    .map((line) =>
      line.startsWith('  ') ? `${/^ */.exec(line)?.[0] ?? ''}${plainText(line, 2000)}` : plainText(line, 4000),
    )
    .join('\n')
    .slice(0, LONG);
}
