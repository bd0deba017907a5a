/** One statistics panel on the host: reads the series while it is visible, keeps what it has when reading fails. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import { headingOf } from '../connections/heading.ts';
import type { Profile, Session } from '../connections/types.ts';
import { actionExecutions, statistics, type Series } from '../platform/resources/statistics.ts';
import { errorText, isCancelled } from '../ui/error-text.ts';
import { plain } from '../ui/plain.ts';
import { hostView, type ViewHost } from '../webviews/panel.ts';
import {
  statisticsProtocol,
  type Controls,
  type SeriesState,
  type StatisticsState,
} from '../webviews/protocol-statistics.ts';
import { csvOf } from './csv.ts';
import { readAsked } from './query.ts';
import { emptySeries, seriesState } from './series.ts';

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
  /** the controls that each series was read with */
  readonly #readWith = new Map<string, string>();
  #templates: ReadonlyMap<string, string> = new Map();
  #session: Session | undefined;
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
      },
      handlers: {
        change: ({ controls }) => {
          this.#controls = controls;
          void this.#read();
        },
        refresh: () => this.#read(),
        stop: () => this.#reading?.abort(),
        signIn: () => void vscode.commands.executeCommand('smartObjects.signIn', connection),
        csv: () => this.#save('csv', Buffer.from(csvOf([...this.#series.values()]), 'utf8')),
        picture: ({ png }) => this.#save('png', png),
        failed: ({ what }) => services.ui.warn(`Statistics: ${plain(what)}`),
      },
    });
    this.#host.own(
      new vscode.Disposable(() => {
        clearTimeout(this.#timer);
        this.#reading?.abort();
      }),
    );
    this.#host.own(
      services.sessions.onDidChange(() => {
        // Another identity may see other numbers.
        if (this.#isOther && this.#host.visible) void this.#read();
        else this.#show();
      }),
    );
  }

  reveal(series: string | undefined): void {
    this.#focus = series;
    this.#panel.reveal();
    this.#show();
  }

  get #due(): boolean {
    return this.#isOther || (this.#reading === undefined && Date.now() - this.#last >= REFRESH);
  }

  get #isOther(): boolean {
    return this.#services.sessions.get(this.#connection) !== this.#session;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#host.visible) return;
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
    }
    if (session === undefined) {
      this.#trouble = `There is no connection named ${this.#connection} any more. Add it again, then retry.`;
      this.#done(reading);
      return;
    }
    this.#trouble = undefined;
    if (session.signedOutBecause !== undefined) {
      this.#trouble = this.#signedOutText(session, session.signedOutBecause);
      this.#done(reading);
      return;
    }
    const signal = AbortSignal.any([reading.signal, session.ended, this.#host.ended]);
    this.#show();
    void this.#nameTemplates(session, signal);
    await Promise.all(statistics.map((series) => this.#readOne(session, series, reading, signal)));
    if (this.#reading === reading) this.#done(reading);
  }

  #signedOutText({ profile }: Session, because: string): string {
    const held = [...this.#series.values()].some(({ read }) => read !== undefined);
    const why = /^not signed in\.?$/i.test(because) ? '' : ` ${because.replace(/\.?$/, '.')}`;
    return `Not signed in to ${headingOf(profile, undefined)}.${why}${held ? ' What is shown is of the past.' : ''}`;
  }

  #done(reading: AbortController): void {
    if (this.#reading === reading) this.#reading = undefined;
    this.#last = Date.now();
    this.#show();
    this.#schedule();
  }

  async #readOne(session: Session, series: Series, reading: AbortController, signal: AbortSignal): Promise<void> {
    const controls = this.#controls;
    const old = this.#series.get(series.id) ?? emptySeries(series);
    const what = `Read ${series.label.toLowerCase()}`;
    let next: SeriesState;
    try {
      session.demand(series.operation);
      const { client } = session;
      const requested = (): void => {
        // Now and then, so that a long reading shows that it goes on.
        if (++this.#requests % 10 === 0) this.#show();
      };
      const read = await readAsked({ client, series, controls, now: Date.now(), signal, requested });
      next = seriesState(series, read, this.#templates);
    } catch (error) {
      const stopped = reading.signal.aborted || isCancelled(error);
      next = { ...old, error: stopped ? `${what}: stopped.` : errorText(what, error).slice(0, 1000) };
    }
    // A newer reading has begun, the panel is gone, or it would be another identity's: whoever comes next will tell.
    if (this.#reading !== reading || session.ended.aborted || this.#host.disposed) return;
    this.#series = new Map(this.#series).set(series.id, next);
    if (next.error === undefined) this.#readWith.set(series.id, JSON.stringify(controls));
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
          id === undefined || id.length > 300 ? [] : [[id, plain(view?.name ?? id, 60)] as const],
        ),
      );
      this.#show();
    } catch (error) {
      if (!isCancelled(error)) this.#services.log.debug(errorText('List templates for statistics', error));
    }
  }

  #forget(): void {
    this.#series = new Map(statistics.map((name) => [name.id, emptySeries(name)]));
    this.#readWith.clear();
    this.#templates = new Map();
  }

  #show(): void {
    const { interval, time_range: timeRange, action_name: action } = actionExecutions.query;
    const asked = JSON.stringify(this.#controls);
    const profile = this.#services.sessions.get(this.#connection)?.profile;
    const signedOut = this.#session?.signedOutBecause !== undefined;
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
        template: [...this.#templates].map(([id, name]) => ({ id, name })),
      },
      series: statistics.map((name) => ({
        ...(this.#series.get(name.id) ?? emptySeries(name)),
        // One notice says why for all of them.
        ...(signedOut && { error: undefined }),
        other: this.#readWith.has(name.id) && this.#readWith.get(name.id) !== asked,
      })),
      ...(this.#reading !== undefined && { reading: this.#requests }),
      ...(this.#trouble !== undefined && { trouble: this.#trouble }),
      signedOut,
      refreshes: REFRESH / 1000,
      ...(this.#focus !== undefined && { focus: this.#focus }),
    };
    if (this.#host.post('state', state)) this.#focus = undefined;
  }

  async #save(kind: 'csv' | 'png', bytes: Uint8Array): Promise<void> {
    const { ui } = this.#services;
    const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
    const name = `statistics-${this.#connection.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${stamp}.${kind}`;
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
