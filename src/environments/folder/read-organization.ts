/** Reads the templates and faces of an organization as the texts of files. */
import * as l10n from '@vscode/l10n';
import {
  MAX_PULLED_BYTES,
  type PulledEntry,
  type PulledKind,
  type PulledSuffix,
} from '../../model/pulled/pulled-folder.ts';
import { formatReason } from '../../model/text/error-message.ts';
import type { PlatformClient } from '../../platform/client.ts';
import { hasErrorCode, PlatformError } from '../../platform/errors.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { registry } from '../../platform/registry.ts';
import type { ResourceDefinition } from '../../platform/resource.ts';
import { FREE_FORM } from '../compare.ts';

/** A file as the platform has it. */
interface PlatformFile {
  readonly kind: PulledKind;
  readonly id: string;
  /** untrusted */
  readonly name: string;
  readonly suffix: PulledSuffix;
  readonly text: string;
}

export interface PlatformFiles {
  readonly files: readonly PlatformFile[];
  /** what could not be read, with the reason: a kind, or `kind/id` */
  readonly unread: ReadonlyMap<string, string>;
}

interface ReadOptions {
  /** what was pulled before: it is deleted only if it cannot be read by its id, either */
  readonly pulled: readonly Pick<PulledEntry, 'kind' | 'id'>[];
  readonly signal: AbortSignal;
  /** called with the number of resources that were read */
  readonly report?: (count: number) => void;
}

/**
 * Reads the faces of an organization and the templates that are visible: the contract lists these for all organizations, so
 * only those that name another one are left out. Rejects with PlatformError if it is cancelled, if a credential is missing,
 * or if nothing can be read.
 */
export async function readOrganization(
  client: PlatformClient,
  organization: string,
  { pulled, signal, report }: ReadOptions,
): Promise<PlatformFiles> {
  const files: PlatformFile[] = [];
  const unread = new Map<string, string>();
  let count = 0;
  let failure: PlatformError | undefined;
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const isFinal = hasErrorCode(error, 'cancelled') || hasErrorCode(error, 'unauthenticated');
      if (!(error instanceof PlatformError) || isFinal) throw error;
      failure ??= error;
      unread.set(what, formatReason(error));
    }
  };
  const add = (kind: PulledKind, id: string, raw: unknown): void => {
    const owner = isObject(raw) ? raw['org_id'] : undefined;
    if (!isObject(raw) || (typeof owner === 'string' && owner !== '' && owner !== organization)) return;
    const name = typeof raw['name'] === 'string' ? raw['name'] : id;
    const texts = kind === 'faces' ? formatFace(raw) : [['.template.json', formatFields(raw)] as const];
    if (texts.some(([, text]) => Buffer.byteLength(text) > MAX_PULLED_BYTES))
      unread.set(`${kind}/${id}`, l10n.t('larger than {0} MB', String(MAX_PULLED_BYTES >> 20)));
    else for (const [suffix, text] of texts) files.push({ kind, id, name, suffix, text });
    report?.(++count);
  };
  const readOne = (kind: PulledKind, id: string, isListed: boolean): Promise<void> =>
    attempt(`${kind}/${id}`, async () => {
      try {
        add(kind, id, (await client.read(kind, [id], { signal, bulk: true })).item.raw);
      } catch (error) {
        if (isListed || !hasErrorCode(error, 'notFound')) throw error;
      }
    });
  const readList = (kind: PulledKind, query: Readonly<Record<string, string>>): Promise<void> =>
    attempt(kind, async () => {
      const definition: ResourceDefinition = registry[kind];
      const missing = new Set(pulled.flatMap((entry) => (entry.kind === kind ? [entry.id] : [])));
      for await (const page of client.listPagesFor(definition, query, {
        signal,
        bulk: true,
        largest: true,
        distinct: true,
      }))
        await Promise.all(
          page.items.map(async ({ id, raw }) => {
            if (id === undefined) return;
            missing.delete(id);
            if (kind === 'faces') add(kind, id, raw);
            else await readOne(kind, id, true);
          }),
        );
      // Templates that are not public are in no list, and a list that changes while it is read can lack some.
      await Promise.all(missing.values().map((id) => readOne(kind, id, false)));
    });
  await readList('faces', { org_id: organization });
  await readList('templates', {});
  if (files.length === 0 && failure !== undefined) throw failure;
  return { files, unread };
}

/** What changes without anybody changing the resource. */
const VOLATILE = new Set(['when_created', 'when_modified', 'minted_count']);

/** The JSON of a resource in one form, whatever the order of fields: digits of numbers are kept. */
function formatFields(raw: JsonObject): string {
  const walk = (value: unknown, isFree: boolean): unknown => {
    if (Array.isArray(value)) return value.map((entry: unknown) => walk(entry, isFree));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isFree || !VOLATILE.has(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, entry]) => [name, walk(entry, isFree || FREE_FORM.has(name))]),
    );
  };
  return `${JSON.stringify(walk(raw, false), undefined, 2)}\n`;
}

/** The content as it is, and the other fields if one of them says something. */
function formatFace(raw: JsonObject): readonly (readonly [PulledSuffix, string])[] {
  const { content, org_id: _organization, ...fields } = raw;
  const hasContent = typeof content === 'string' && content !== '';
  const isEmpty = (value: unknown): boolean =>
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
  const isFilled = ([name, value]: readonly [string, unknown]): boolean =>
    !['id', 'name'].includes(name) && !VOLATILE.has(name) && !isEmpty(value);
  const rest = hasContent ? fields : { ...fields, ...(content !== undefined && { content }) };
  return [
    ...(hasContent ? [['.face.html', content] as const] : []),
    ...(!hasContent || Object.entries(rest).some(isFilled) ? [['.face.json', formatFields(rest)] as const] : []),
  ];
}
