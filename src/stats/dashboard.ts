/** One statistics panel on the host: reads the series while it is visible, keeps what it has when reading fails. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { headingOf } from '../connections/heading.ts';
import type { Profile, Session } from '../connections/types.ts';
import { actionExecutions, statistics, type Series } from '../platform/resources/statistics.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { plainText } from '../platform/plain-text.ts';
import { hostView, type ViewHost } from '../webviews/panel.ts';
import {
  statisticsProtocol,
  type Controls,
  type SeriesState,
  type StatisticsState,
} from '../webviews/protocol-statistics.ts';
import { csvOf } from './csv.ts';
import { isForbidden, isRefused, tell } from './failures.ts';
import { readAsked } from './query.ts';
import { emptySeries, seriesState, type SeriesRead } from './series.ts';

/** Milliseconds between two readings while the panel is visible. */
const REFRESH = 60_000;

export interface DashboardParts {
  readonly services: Services;
  readonly panel: vscode.WebviewPanel;
  readonly connection: string;
  readonly controls: Controls;
  readonly focus: string | undefined;
}

/** `Statistics: PRODUCTION · Live` */
export function titleOf(profile: Profile | undefined, connection: string): string {
  return `Statistics: ${profile === undefined ? connection : headingOf(profile, undefined)}`;
}

export class Dashboard {
  readonly #services: Services;
  readonly #panel: vscode.WebviewPanel;
  readonly #connection: string;
  readonly #host: ViewHost<typeof statisticsProtocol.toView>;
  #controls: Controls;
  #focus: string | undefined;
  #series: ReadonlyMap<string, SeriesState> = new Map(statistics.map((name) => [name.id, emptySeries(name)]));
  /** what they were made from */
  readonly #reads = new Map<string, SeriesRead>();
  /** of the last reading, by series */
  readonly #failures = new Map<string, unknown>();
  /** when the token that was refused runs out: one that runs out later is another */
  #refused: { readonly expires: number | undefined } | undefined;
  /** the controls that each series was read with */
  readonly #readWith = new Map<string, string>();
  #templates: ReadonlyMap<string, string> = new Map();
  #session: Session | undefined;
  #watching: vscode.Disposable | undefined;
  #trouble: string | undefined;
  #reading: AbortController | undefined;
  #requests = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: DashboardParts) {
    const { services, panel, connection } = parts;
    this.#services = services;
    this.#panel = panel;
    this.#connection = connection;
    this.#controls = parts.controls;
    this.#focus = parts.focus;
    panel.iconPath = new vscode.ThemeIcon('graph');
    this.#host = hostView(statisticsProtocol, {
      container: panel,
      extensionUri: services.context.extensionUri,
      log: services.log,
      bundle: 'statistics',
      title: 'Statistics',
      show: () => {
        this.#show();
        if (this.#due) void this.#read();
      },
      onVisible: (visible) => {
        clearTimeout(this.#timer);
        if (visible && this.#due) void this.#read();
        else if (visible) this.#schedule();
        // Nothing is asked for while nobody looks; what was on its way is read when someone does.
        else if (this.#reading !== undefined) {
          this.#reading.abort();
          this.#reading = undefined;
          this.#last = 0;
        }
      },
      handlers: {
        change: ({ controls }) => {
          this.#controls = controls;
          void this.#read();
        },
        refresh: () => this.#read(),
        stop: () => this.#reading?.abort(),
        signIn: () => void vscode.commands.executeCommand('smartObjects.signIn', connection),
        csv: () => this.#save('csv', Buffer.from(this.#csv(), 'utf8')),
        picture: ({ png }) => this.#save('png', png),
        failed: ({ what }) => services.ui.warn(`Statistics: ${plainText(what)}`),
      },
    });
    this.#host.own(
      new vscode.Disposable(() => {
        clearTimeout(this.#timer);
        this.#watching?.dispose();
        this.#reading?.abort();
      }),
    );
    this.#host.own(
      services.sessions.onDidChange(() => {
        this.#changed();
      }),
    );
  }

  /** Another identity may see other numbers, and a newer token may see again. */
  #changed(): void {
    if ((this.#isOther || this.#isRenewed) && this.#host.visible) void this.#read();
    else this.#show();
  }

  reveal(series: string | undefined): void {
    this.#focus = series;
    this.#panel.reveal();
    this.#show();
  }

  get #due(): boolean {
    return this.#isOther || this.#isRenewed || (this.#reading === undefined && Date.now() - this.#last >= REFRESH);
  }

  get #isRenewed(): boolean {
    return this.#refused !== undefined && this.#session?.identity?.expires !== this.#refused.expires;
  }

  get #isOther(): boolean {
    return this.#services.sessions.get(this.#connection) !== this.#session;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    // A credential that was refused is not sent again by itself.
    if (!this.#host.visible || this.#refused !== undefined) return;
    this.#timer = setTimeout(() => void this.#read(), Math.max(1000, this.#last + REFRESH - Date.now()));
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const reading = (this.#reading = new AbortController());
    this.#requests = 0;
    const session = this.#services.sessions.get(this.#connection);
    if (session !== this.#session) {
      // What another identity saw is not this one's past; while there is none, it stays.
      if (this.#session !== undefined && session?.signedOutBecause === undefined) this.#forget();
      this.#session = session;
      this.#watching?.dispose();
      this.#watching = session?.onDidChange(() => {
        this.#changed();
      });
    }
    if (session === undefined) {
      this.#trouble = `There is no connection named ${this.#connection} any more. Add it again, then retry.`;
      this.#done(reading);
      return;
    }
    this.#trouble = this.#refused = undefined;
    if (session.signedOutBecause !== undefined) {
      this.#trouble = this.#signedOutText(session, session.signedOutBecause);
      this.#done(reading);
      return;
    }
    const signal = AbortSignal.any([reading.signal, session.ended, this.#host.ended]);
    this.#show();
    void this.#nameTemplates(session, signal);
    // What the role lacked it may have been granted since.
    if ([...this.#failures.values()].some(isForbidden)) await session.loadPermissions(signal, true);
    await Promise.all(statistics.map((series) => this.#readOne(session, series, reading, signal)));
    if (this.#reading === reading) this.#done(reading);
  }

  #signedOutText({ profile }: Session, because: string): string {
    const why = /^not signed in\.?$/i.test(because) ? '' : ` ${because.replace(/\.?$/, '.')}`;
    return `Not signed in to ${headingOf(profile, undefined)}.${why}`;
  }

  #done(reading: AbortController): void {
    if (this.#reading === reading) this.#reading = undefined;
    this.#last = Date.now();
    this.#show();
    this.#schedule();
  }

  async #readOne(session: Session, series: Series, reading: AbortController, signal: AbortSignal): Promise<void> {
    const controls = this.#controls;
    let next: { readonly read: SeriesRead; readonly state: SeriesState } | undefined;
    let failure: unknown;
    try {
      session.demand(series.operation);
      const { client } = session;
      const requested = (): void => {
        // Now and then, so that a long reading shows that it goes on.
        if (++this.#requests % 10 === 0) this.#show();
      };
      const read = await readAsked({ client, series, controls, now: Date.now(), signal, requested });
      next = { read, state: seriesState(series, read, this.#templates) };
    } catch (error) {
      failure = error;
    }
    // A newer reading has begun, nobody looks, or it would be another identity's: whoever comes next will tell.
    if (this.#reading !== reading || session.ended.aborted || this.#host.disposed) return;
    if (next === undefined) {
      this.#failures.set(series.id, failure);
      if (isRefused(failure)) this.#refused = { expires: session.identity?.expires };
    } else {
      this.#failures.delete(series.id);
      this.#series = new Map(this.#series).set(series.id, next.state);
      this.#reads.set(series.id, next.read);
      this.#readWith.set(series.id, JSON.stringify(controls));
    }
    this.#show();
  }

  /** For the suggestions and in place of ids; without them the ids stand. */
  async #nameTemplates(session: Session, signal: AbortSignal): Promise<void> {
    if (this.#templates.size > 0) return;
    try {
      const page = await session.client.page('templates', { limit: 100 }, { signal });
      if (this.#session !== session) return;
      this.#templates = new Map(
        page.items.flatMap(({ id, view }) =>
          id === undefined || id.length > 300 ? [] : [[id, plainText(view?.name ?? id, 300)] as const],
        ),
      );
      // Series that came first were made with ids.
      for (const series of statistics) {
        const read = this.#reads.get(series.id);
        if (read !== undefined)
          this.#series = new Map(this.#series).set(series.id, seriesState(series, read, this.#templates));
      }
      this.#show();
    } catch (error) {
      if (!isCancelled(error)) this.#services.log.debug(errorText('List templates for statistics', error));
    }
  }

  #forget(): void {
    this.#series = new Map(statistics.map((name) => [name.id, emptySeries(name)]));
    this.#reads.clear();
    this.#readWith.clear();
    this.#failures.clear();
    this.#templates = new Map();
  }

  #show(): void {
    if (this.#host.disposed) return;
    const { interval, time_range: timeRange, action_name: action } = actionExecutions.query;
    const asked = JSON.stringify(this.#controls);
    const profile = this.#services.sessions.get(this.#connection)?.profile;
    const signedOut = this.#session?.signedOutBecause !== undefined;
    // One notice says why for all of them.
    const { shared, own } = tell(statistics, this.#trouble === undefined ? this.#failures : new Map());
    this.#panel.title = titleOf(profile, this.#connection);
    const state: StatisticsState = {
      connection: this.#connection,
      heading: this.#session?.heading ?? this.#connection,
      production: profile?.environment === 'production',
      controls: this.#controls,
      suggestions: {
        interval: [...interval.suggestions],
        timeRange: [...timeRange.suggestions],
        action: [...action.suggestions],
        template: [...this.#templates].map(([id, name]) => ({ id, name: plainText(name, 60) })),
      },
      series: statistics.map((name) => {
        const known = this.#series.get(name.id) ?? emptySeries(name);
        const error = own.get(name.id);
        return {
          ...known,
          ...(error !== undefined && { error }),
          stale: known.read !== undefined && (this.#trouble !== undefined || this.#failures.has(name.id)),
          other: this.#readWith.has(name.id) && this.#readWith.get(name.id) !== asked,
        };
      }),
      ...(this.#reading !== undefined && { reading: this.#requests }),
      troubles: this.#trouble === undefined ? [...shared] : [{ text: this.#trouble, signIn: signedOut }],
      refreshes: REFRESH / 1000,
      ...(this.#focus !== undefined && { focus: this.#focus }),
    };
    if (this.#host.post('state', state)) this.#focus = undefined;
  }

  #csv(): string {
    const series = statistics.flatMap(({ id, label }) => {
      const { now, before } = this.#reads.get(id) ?? {};
      return now === undefined ? [] : [{ label, now: now.points, before: before?.points ?? [] }];
    });
    return csvOf(series, this.#templates);
  }

  async #save(kind: 'csv' | 'png', bytes: Uint8Array): Promise<void> {
    const { ui } = this.#services;
    const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
    // A file on its own says no more than its name.
    const cut = [...this.#series.values()].some(({ truncated }) => truncated) ? '-truncated' : '';
    const name = `statistics-${this.#connection.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${stamp}${cut}.${kind}`;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    try {
      const file = await ui.saveAs({
        title: `Export Statistics as ${kind.toUpperCase()}`,
        filters: kind === 'csv' ? { 'Comma-separated values': ['csv'] } : { 'PNG picture': ['png'] },
        defaultUri: folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name),
      });
      if (file === undefined) return;
      await vscode.workspace.fs.writeFile(file, bytes);
      const open = 'Open';
      if ((await ui.info(`The statistics were exported to ${file.path.split('/').pop() ?? name}.`, open)) === open)
        await vscode.commands.executeCommand('vscode.open', file);
    } catch (error) {
      await ui.error(errorText('Export statistics', error));
    }
  }
}
