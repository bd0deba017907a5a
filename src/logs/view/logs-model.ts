import type { ViewState } from '../../webviews/protocol/logs.ts';
import { getEntryKey, type LogEntry } from '../entry.ts';
import type { Feed } from '../stream/feed.ts';

/** What a view of the logs shows: its state, the loaded entries, and the selected one. */
export class LogsModel {
  readonly feed: Feed;
  state: ViewState;
  /** the selected entry if it was not loaded but read by its id */
  fetchedEntry: LogEntry | undefined;

  constructor(state: ViewState, feed: Feed) {
    this.state = state;
    this.feed = feed;
  }

  /** Loaded entries, oldest first. */
  get entries(): readonly LogEntry[] {
    return this.feed.buffer.list;
  }

  getEntry(key: string): LogEntry | undefined {
    return this.feed.buffer.get(key) ?? (this.fetchedEntry?.key === key ? this.fetchedEntry : undefined);
  }

  /** Connections that may have the selected entry: a link need not name it. */
  get #selectedConnections(): readonly string[] {
    const { selectedConnection: connection, filters } = this.state;
    return connection === undefined ? filters.connections : filters.connections.filter((name) => name === connection);
  }

  /** The selected entry if it is loaded. */
  get selected(): LogEntry | undefined {
    const { selected } = this.state;
    if (selected === undefined) return undefined;
    const candidates = this.#selectedConnections.map((name) => this.getEntry(getEntryKey(name, selected)));
    return candidates.find((entry) => entry !== undefined);
  }

  /** The id of a selected entry that is not loaded, once no more pages that may contain it are being read. */
  get missing(): { readonly id: string; readonly connections: readonly string[] } | undefined {
    const { selected: id } = this.state;
    const { phase, readingOlder } = this.feed.state;
    const reading = readingOlder || (phase !== 'live' && phase !== 'idle' && phase !== 'ended');
    const connections = this.#selectedConnections;
    return id === undefined || reading || this.selected !== undefined ? undefined : { id, connections };
  }
}
