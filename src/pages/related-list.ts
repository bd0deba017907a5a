/** The lists of a page: what the registry can filter by its resource. */
import * as l10n from '@vscode/l10n';
import type { Services } from '../commands/context.ts';
import { isAddress } from '../documents/links/id-tokens.ts';
import { toOneLine } from '../explorer/format.ts';
import { getListsFilteredBy, getWalletLists } from '../explorer/rows/related-resources.ts';
import { RowPictures } from '../explorer/rows/row-pictures.ts';
import { formatSummaryDetails } from '../explorer/rows/row-presentation.ts';
import { parseEntry } from '../logs/entry.ts';
import { addRowNames } from '../logs/view/add-row-names.ts';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import { createTitleLookup } from '../cache/title-lookup.ts';
import { getItemTitle } from '../model/resources/item-title.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import type { Session } from '../model/session/session.ts';
import type { Item } from '../platform/page.ts';
import { registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import type { LogRow } from '../webviews/protocol/logs.ts';
import type { PageList, PageLogs } from '../webviews/protocol/page.ts';

export interface ListSource {
  /** unique in a page */
  readonly key: string;
  readonly label: string;
  readonly definition: ResourceDefinition;
  /** the query parameters that name the resource */
  readonly fixed: Readonly<Record<string, string>>;
}

const PAGE_SIZE = 24;

/** Returns the lists of a page; `address`: of a wallet whose account is known. */
export function getListSources({ kind, id }: ResourceArgument, address?: string): readonly ListSource[] {
  const account = address ?? (kind === 'wallets' && isAddress(id) ? id : undefined);
  const lists = [
    ...(account === undefined ? [] : getWalletLists(registry, kind, 'owner', account)),
    ...(account === id ? [] : getListsFilteredBy(registry, kind, id)),
  ];
  const definitions: Readonly<Record<string, ResourceDefinition>> = registry;
  return lists.flatMap((list): ListSource[] => {
    const definition = list.type === 'list' ? definitions[list.kind] : undefined;
    if (list.type !== 'list' || definition === undefined) return [];
    const fixed = Object.fromEntries(
      Object.entries(list.fixed).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    const [parameter = ''] = Object.keys(fixed);
    return [{ key: `${list.kind} ${parameter}`, label: list.label, definition, fixed }];
  });
}

/** Whether a list is shown as action logs. */
export function isLogList({ definition }: ListSource): boolean {
  return definition.kind === ('action-logs' satisfies Kind);
}

/** The first page of a list, read on request; a failed refresh keeps what was read. */
export class RelatedList {
  readonly source: ListSource;
  readonly #services: Services;
  readonly #onDidChange: () => void;
  #items: readonly Item[] = [];
  #hasMore = false;
  #problem: string | undefined;
  #loading = new AbortController();
  #isBusy = false;
  #readAt: number | undefined;
  #pictures: ReadonlyMap<Item, string> = new Map();

  constructor(source: ListSource, services: Services, onDidChange: () => void) {
    this.source = source;
    this.#services = services;
    this.#onDidChange = onDidChange;
  }

  dispose(): void {
    this.#loading.abort();
  }

  /** Reads the list, once unless `refresh` is set. Never rejects. */
  async load(session: Session, refresh: boolean): Promise<void> {
    if (!refresh && (this.#isBusy || this.#readAt !== undefined)) return;
    this.#loading.abort();
    const { signal: stopped } = (this.#loading = new AbortController());
    const signal = AbortSignal.any([stopped, session.ended]);
    this.#isBusy = true;
    this.#onDidChange();
    try {
      const { definition, fixed } = this.source;
      const { query } = definition.list?.operation ?? {};
      const newest = query?.['sortBy'] === undefined ? {} : { sortBy: 'when_created', order: 'descending' };
      const page = await session.client.listPageFor(definition, { ...fixed, ...newest, limit: PAGE_SIZE }, { signal });
      this.#items = page.items;
      this.#hasMore = page.next !== undefined;
      this.#readAt = Date.now();
      this.#problem = undefined;
    } catch (error) {
      if (stopped.aborted) return;
      this.#problem = isCancelled(error)
        ? l10n.t('The session has ended')
        : formatError(l10n.t('Load {0}', this.source.label), error);
    }
    this.#isBusy = false;
    this.#onDidChange();
    await this.#loadPictures(session, signal);
  }

  async #loadPictures({ profile: { name } }: Session, signal: AbortSignal): Promise<void> {
    const { sessions, knownIds, thumbnails } = this.#services;
    const finder = new RowPictures(sessions, knownIds.index);
    const loads = this.#items.map(async (item) => {
      const url = finder.getUrl(name, this.source.definition, item.raw);
      return [item, url === undefined ? undefined : await thumbnails.load(url, signal)] as const;
    });
    const loaded = await Promise.all(loads);
    if (signal.aborted) return;
    this.#pictures = new Map(loaded.flatMap(([item, picture]) => (picture === undefined ? [] : [[item, picture]])));
    if (this.#pictures.size > 0) this.#onDidChange();
  }

  /** The first `count` items. */
  getState(connection: string, count: number, now: number): PageList {
    const { definition } = this.source;
    return {
      kind: definition.kind,
      busy: this.#isBusy,
      hasMore: this.#hasMore || this.#items.length > count,
      items: this.#items.slice(0, count).map((item) => {
        const summary = definition.summary(item.raw);
        const picture = this.#pictures.get(item);
        return {
          ...(item.id !== undefined && item.id !== '' && { id: item.id.slice(0, 1024) }),
          title: toOneLine(getItemTitle(definition, item.raw, createTitleLookup(this.#services, [connection]))),
          detail: formatSummaryDetails(summary, now) ?? '',
          ...(picture !== undefined && { picture }),
        };
      }),
      ...this.#note,
    };
  }

  getLogs(connection: string): PageLogs {
    const rows = this.#items.flatMap(({ raw }): LogRow[] => {
      const entry = parseEntry(connection, raw, 0);
      return entry === undefined ? [] : [addRowNames(this.#services, entry.row)];
    });
    return { busy: this.#isBusy, rows, ...this.#note };
  }

  get #note(): { readonly note?: string } {
    if (this.#problem !== undefined) return { note: this.#problem };
    return this.#readAt !== undefined && this.#items.length === 0
      ? { note: l10n.t('No items, or none that you can access') }
      : {};
  }
}
