import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasPassed } from '../model/has-passed.ts';
import type { Services } from '../commands/context.ts';
import { formatHeading, formatSignedOut } from '../model/text/heading.ts';
import { formatLabelled } from '../model/text/labels.ts';
import type { Session } from '../model/session/session.ts';
import { actionExecutions, statisticsSeries, type StatisticsSeries } from '../platform/resources/statistics.ts';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { MessageBody } from '../webviews/protocol/index.ts';
import { createWebviewHost, type WebviewHost } from '../webviews/webview-host.ts';
import {
  statisticsProtocol,
  type Controls,
  type SeriesState,
  type StatisticsState,
} from '../webviews/protocol/statistics.ts';
import { formatCsv } from './csv.ts';
import { pickSaveTarget, saveFile } from '../ui/save-file.ts';
import { runInForeground } from '../ui/foreground.ts';
import { hasErrorCode } from '../platform/errors.ts';
import { formatFailures } from './failure-messages.ts';
import { createLogsView } from './logs-view.ts';
import { querySeries } from './query-series.ts';
import { createEmptySeries, buildSeriesState, type KeyNames, type SeriesResult } from './series-state.ts';

/** Milliseconds between two readings while the panel is visible. */
const REFRESH_INTERVAL = 60_000;

/** A series as it was last read. */
interface Reading {
  readonly read: SeriesResult;
  readonly state: SeriesState;
  readonly controls: Controls;
}

/** One statistics panel: reads its series while it is visible, and keeps the last ones when reading fails. */
export class Dashboard {
  readonly #services: Services;
  readonly #panel: vscode.WebviewPanel;
  readonly #connection: string;
  readonly #host: WebviewHost<typeof statisticsProtocol.toView>;
  #controls: Controls;
  #focus: string | undefined;
  /** by series */
  readonly #readings = new Map<string, Reading>();
  /** errors of the last reading, by series */
  readonly #failures = new Map<string, unknown>();
  /** expiry of the rejected token: a token with another expiry is new */
  #refusedToken: { readonly expires: number | undefined } | undefined;
  #templates: ReadonlyMap<string, string> = new Map();
  #session: Session | undefined;
  #problem: string | undefined;
  #reading: AbortController | undefined;
  #requests = 0;
  #lastRead = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, panel: vscode.WebviewPanel, connection: string, controls: Controls) {
    this.#services = services;
    this.#panel = panel;
    this.#connection = connection;
    this.#controls = controls;
    panel.iconPath = new vscode.ThemeIcon('graph');
    this.#host = createWebviewHost(statisticsProtocol, {
      container: panel,
      extensionUri: services.context.extensionUri,
      log: services.log,
      ui: services.ui,
      bundle: 'statistics',
      title: l10n.t('Statistics'),
      postState: () => {
        this.#postState();
        if (this.#isDue) this.#readNow();
      },
      onDidChangeVisibility: (visible) => {
        clearTimeout(this.#timer);
        if (visible && this.#isDue) this.#readNow();
        else if (visible) this.#schedule();
        // No requests while hidden; an interrupted reading starts over when the panel is visible again.
        else if (this.#reading !== undefined) {
          this.#reading.abort();
          this.#reading = undefined;
          this.#lastRead = 0;
        }
      },
      handlers: {
        change: ({ controls }) => {
          this.#controls = controls;
          return this.#read();
        },
        refresh: () => this.#read(),
        stop: () => this.#reading?.abort(),
        signIn: () => vscode.commands.executeCommand('smartObjects.signIn', connection),
        showLogs: (point) => this.#showLogs(point),
        csv: () => this.#save('csv', Buffer.from(this.#formatCsv(), 'utf8')),
        picture: ({ png }) => this.#save('png', png),
        failed: ({ what }) => services.ui.warn(l10n.t('Statistics: {0}', toPlainText(what))),
      },
    });
    for (const disposable of [
      new vscode.Disposable(() => {
        clearTimeout(this.#timer);
        this.#reading?.abort();
      }),
      services.labels.onDidChange(() => this.#rebuildSeries()),
      services.sessions.onDidChange(() => this.#onSessionChanged()),
      services.sessions.onDidChangeSession(({ session, type }) => {
        if (session === this.#session && (type === 'credential' || type === 'state')) this.#onSessionChanged();
      }),
    ])
      this.#host.register(disposable);
  }

  /** Reads again for another identity or a renewed token. */
  #onSessionChanged(): void {
    if ((this.#isOtherSession || this.#isTokenRenewed) && this.#host.visible) void this.#read();
    else this.#postState();
  }

  /** Shows the panel, and brings a series into view. */
  reveal(series: string | undefined): void {
    this.#focus = series;
    this.#panel.reveal();
    if (this.#isDue) this.#readNow();
    else this.#postState();
  }

  /** Reads while the user waits; readings of the timer are background work. */
  #readNow(): void {
    void runInForeground(() => this.#read(), false);
  }

  get #isDue(): boolean {
    return (
      this.#isOtherSession ||
      this.#isTokenRenewed ||
      (this.#reading === undefined && hasPassed(REFRESH_INTERVAL, this.#lastRead, Date.now()))
    );
  }

  get #isTokenRenewed(): boolean {
    return this.#refusedToken !== undefined && this.#session?.identity?.expires !== this.#refusedToken.expires;
  }

  get #isOtherSession(): boolean {
    return this.#services.sessions.get(this.#connection) !== this.#session;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    // A rejected credential is not sent again automatically.
    if (!this.#host.visible || this.#refusedToken !== undefined) return;
    const delay = Math.max(1000, this.#lastRead + REFRESH_INTERVAL - Date.now());
    this.#timer = setTimeout(
      () => void this.#read(({ id }) => !hasErrorCode(this.#failures.get(id), 'forbidden')),
      delay,
    );
  }

  async #read(isWanted: (series: StatisticsSeries) => boolean = () => true): Promise<void> {
    this.#reading?.abort();
    const reading = (this.#reading = new AbortController());
    this.#requests = 0;
    const session = this.#services.sessions.get(this.#connection);
    if (session !== this.#session) {
      // Data of another identity is cleared; it stays while signed out.
      if (this.#session !== undefined && session?.signedOutReason === undefined) this.#clear();
      this.#session = session;
    }
    this.#problem = this.#refusedToken = undefined;
    if (session === undefined)
      this.#problem = l10n.t('The connection “{0}” no longer exists. Add it again, then retry.', this.#connection);
    else if (session.signedOutReason !== undefined) this.#problem = formatSignedOut(session);
    if (session === undefined || this.#problem !== undefined) {
      this.#finish(reading);
      return;
    }
    const signal = AbortSignal.any([reading.signal, session.ended, this.#host.disposeSignal]);
    this.#postState();
    void this.#readTemplateNames(session, signal);
    const wanted = statisticsSeries.filter(isWanted);
    await Promise.all(wanted.map((series) => this.#readSeries(session, series, reading, signal)));
    if (this.#reading === reading) this.#finish(reading);
  }

  #finish(reading: AbortController): void {
    if (this.#reading === reading) this.#reading = undefined;
    this.#lastRead = Date.now();
    this.#postState();
    this.#schedule();
  }

  async #readSeries(
    session: Session,
    series: StatisticsSeries,
    reading: AbortController,
    signal: AbortSignal,
  ): Promise<void> {
    const controls = this.#controls;
    let next: Reading | undefined;
    let failure: unknown;
    try {
      const { client } = session;
      const onRequest = (): void => {
        // Shows the progress of a long reading.
        if (++this.#requests % 10 === 0) this.#postState();
      };
      const read = await querySeries({ client, series, controls, now: Date.now(), signal, onRequest });
      next = { read, state: buildSeriesState(series, read, this.#names), controls };
    } catch (error) {
      failure = error;
    }
    // Superseded by a newer reading, hidden, or read for another identity.
    if (this.#reading !== reading || session.ended.aborted || this.#host.disposed) return;
    if (next === undefined) {
      this.#failures.set(series.id, failure);
      if (hasErrorCode(failure, 'unauthenticated')) this.#refusedToken = { expires: session.identity?.expires };
    } else {
      this.#failures.delete(series.id);
      this.#readings.set(series.id, next);
    }
    this.#postState();
  }

  /** Reads the names of templates, shown instead of ids and suggested as filters. Never rejects. */
  async #readTemplateNames(session: Session, signal: AbortSignal): Promise<void> {
    if (this.#templates.size > 0) return;
    try {
      const page = await session.client.listPage('templates', { limit: 100 }, { signal });
      if (this.#session !== session) return;
      this.#templates = new Map(
        page.items.flatMap(({ id, view }) =>
          id === undefined || id.length > 300 ? [] : [[id, toPlainText(view?.name ?? id, 300)] as const],
        ),
      );
      this.#rebuildSeries();
    } catch (error) {
      if (!isCancelled(error)) this.#services.log.debug(formatError('List templates for statistics', error));
    }
  }

  /** The names of keys: their labels with the key, else the names of templates. */
  get #names(): KeyNames {
    return {
      get: (key) => {
        const label = this.#services.labels.get(key);
        return label === undefined ? this.#templates.get(key) : formatLabelled(key, label.text);
      },
    };
  }

  /** Shows other names of keys in what was read. */
  #rebuildSeries(): void {
    for (const series of statisticsSeries) {
      const reading = this.#readings.get(series.id);
      if (reading !== undefined)
        this.#readings.set(series.id, { ...reading, state: buildSeriesState(series, reading.read, this.#names) });
    }
    this.#postState();
  }

  #clear(): void {
    this.#readings.clear();
    this.#failures.clear();
    this.#templates = new Map();
  }

  #postState(): void {
    if (this.#host.disposed) return;
    const profile = this.#services.sessions.get(this.#connection)?.profile;
    const signedOut = this.#session?.signedOutReason !== undefined;
    // `#problem` explains all failures in one notice.
    const { shared, own } = formatFailures(statisticsSeries, this.#problem === undefined ? this.#failures : new Map());
    this.#panel.title = l10n.t('Statistics: {0}', profile === undefined ? this.#connection : formatHeading(profile));
    const state: StatisticsState = {
      connection: this.#connection,
      heading: this.#session?.heading ?? this.#connection,
      production: profile?.environment === 'production',
      controls: this.#controls,
      suggestions: {
        action: actionExecutions.query.action_name.suggestions.map((value) => ({ value, label: value })),
        // The contract takes account names, not addresses.
        signer: this.#services.labels.all
          .filter(({ value }) => !/^0x/i.test(value))
          .slice(0, 500)
          .map(({ value, text }) => ({ value, label: text })),
        template: [...this.#templates].map(([value, name]) => ({ value, label: toPlainText(name, 60) })),
      },
      series: statisticsSeries.map((name) => {
        const reading = this.#readings.get(name.id);
        const error = own.get(name.id);
        return {
          ...(reading?.state ?? createEmptySeries(name)),
          ...(error !== undefined && { error }),
          stale: reading !== undefined && (this.#problem !== undefined || this.#failures.has(name.id)),
          outdatedControls: reading !== undefined && reading.controls !== this.#controls,
        };
      }),
      ...(this.#reading !== undefined && { requestCount: this.#requests }),
      errors: this.#problem === undefined ? [...shared] : [{ text: this.#problem, signIn: signedOut }],
      ...(this.#focus !== undefined && { focus: this.#focus }),
    };
    if (this.#host.post('state', state)) this.#focus = undefined;
  }

  async #showLogs(point: MessageBody<typeof statisticsProtocol.toHost, 'showLogs'>): Promise<void> {
    const read = this.#readings.get(point.series)?.read;
    const key = point.key ?? this.#controls.action;
    if (read !== undefined)
      await vscode.commands.executeCommand(
        'smartObjects.showActionLogs',
        createLogsView(this.#connection, { ...point, key }, read),
      );
  }

  #formatCsv(): string {
    const series = statisticsSeries.flatMap(({ id }) => {
      const { now, before } = this.#readings.get(id)?.read ?? {};
      return now === undefined ? [] : [{ id, now: now.points, before: before?.points ?? [] }];
    });
    return formatCsv(series, this.#names);
  }

  async #save(kind: 'csv' | 'png', bytes: Uint8Array): Promise<void> {
    const { ui } = this.#services;
    const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
    // The file name shows that values are missing.
    const suffix = [...this.#readings.values()].some(({ state }) => state.truncated) ? '-truncated' : '';
    const name = `statistics-${this.#connection.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${stamp}${suffix}.${kind}`;
    try {
      const file = await pickSaveTarget(ui, {
        name,
        title: kind === 'csv' ? l10n.t('Export Statistics as CSV') : l10n.t('Export Statistics as PNG'),
        filters: kind === 'csv' ? { [l10n.t('CSV Files')]: ['csv'] } : { [l10n.t('PNG Images')]: ['png'] },
      });
      if (file === undefined) return;
      await saveFile(file, bytes);
      const open = l10n.t('Open File');
      if ((await ui.info(l10n.t('Statistics exported to {0}.', file.path.split('/').pop() ?? name), open)) === open)
        await vscode.commands.executeCommand('vscode.open', file);
    } catch (error) {
      await ui.error(formatError(l10n.t('Export statistics'), error));
    }
  }
}
