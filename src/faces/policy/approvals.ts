import * as l10n from '@vscode/l10n';
import type { KeyValueStore } from '../../cache/stored-record.ts';

/** Origins that the user allows faces to load from, by connection, stored in the extension's global state. */
type ApprovalKind = 'images' | 'page';
/** What the addresses that are loaded can contain: nothing of the object, its id, or any of its data. */
type SentData = 'nothing' | 'id' | 'data';

/** A request to load from an origin. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  readonly origin: string;
  readonly sends: SentData;
}

const STORAGE_KEY = 'smartObjects.faces.allowed';
const MAX_APPROVALS = 200;
/** each includes what is before it */
const SENT_DATA: readonly SentData[] = ['nothing', 'id', 'data'];

/** The stored approvals of all connections. */
export class Approvals {
  readonly #store: KeyValueStore;
  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** The approval ids of a scope. */
  list(scope: string): readonly string[] {
    return this.#readAll().get(scope) ?? [];
  }

  /** Stores an approval; the oldest of a scope go first. Rejects if the store does. */
  async allow(scope: string, request: ApprovalRequest): Promise<void> {
    const others = this.list(scope).filter((id) => id !== getApprovalId(request));
    await this.#write(scope, [...others, getApprovalId(request)].slice(-MAX_APPROVALS));
  }

  /** Removes an approval. Rejects if the store does. */
  async revoke(scope: string, id: string): Promise<void> {
    await this.#write(
      scope,
      this.list(scope).filter((known) => known !== id),
    );
  }

  #readAll(): Map<string, readonly string[]> {
    const value = this.#store.get(STORAGE_KEY);
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(
      Object.entries(value).map(([scope, list]: [string, unknown]) => [
        scope,
        Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [],
      ]),
    );
  }

  async #write(scope: string, list: readonly string[]): Promise<void> {
    const all = this.#readAll();
    all.set(scope, list);
    await this.#store.update(STORAGE_KEY, Object.fromEntries([...all].filter(([, known]) => known.length > 0)));
  }
}

/** The id of an approval: `images https://cdn.example`, `page+id https://…`, `page+data https://…`. */
export function getApprovalId({ kind, origin, sends }: ApprovalRequest): string {
  return `${kind}${sends === 'nothing' ? '' : `+${sends}`} ${origin}`;
}

/** Whether `approvals`, a list of ids, covers the request. An approval that sends more covers requests that send less. */
export function isApproved(approvals: readonly string[], request: ApprovalRequest): boolean {
  const covering = SENT_DATA.slice(SENT_DATA.indexOf(request.sends));
  return covering.some((sends) => approvals.includes(getApprovalId({ ...request, sends })));
}

/** Describes an approval, given by id. */
export function formatApproval(id: string): string {
  const [kind = '', origin = ''] = id.split(' ');
  const withObjectData = kind.endsWith('+data');
  if (kind === 'page+id') return l10n.t('Pages from {0} (with the ID of the object)', origin);
  if (kind.startsWith('page'))
    return withObjectData ? l10n.t('Pages from {0} (with object data)', origin) : l10n.t('Pages from {0}', origin);
  return withObjectData ? l10n.t('Images from {0} (with object data)', origin) : l10n.t('Images from {0}', origin);
}

/** The scope of approvals: a connection by name and origin. Files without a connection share one scope. */
export function getApprovalScope(connection: { readonly name: string; readonly baseUrl: string } | undefined): string {
  return connection === undefined ? 'files' : `${connection.name} ${new URL(connection.baseUrl).origin}`;
}
