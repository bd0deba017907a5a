import * as l10n from '@vscode/l10n';
import { requireSession } from '../model/session/require-session.ts';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import type { TreeArgument } from '../model/resources/resource-argument.ts';
import { DEFAULT_CONTROLS, savedState } from '../webviews/protocol/statistics.ts';
import { Dashboard, formatTitle } from './dashboard.ts';
import { VIEW_TYPE } from './view-type.ts';

/** Owns the statistics panels, one for each connection, opened by the command or restored after a reload. */
export class StatisticsController {
  readonly #services: Services;
  readonly #dashboards = new Map<string, Dashboard>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Opens the panel of the named, clicked or picked connection. Rejects with PlatformError if there is no such connection. */
  async show(argument: string | TreeArgument | undefined): Promise<void> {
    const { connection, series } = parseArgument(argument);
    const name = connection ?? (await this.#services.sessions.pickSession(l10n.t('Select a connection')))?.profile.name;
    if (name === undefined) return;
    const known = this.#dashboards.get(name);
    if (known !== undefined) {
      known.reveal(series);
      return;
    }
    const session = requireSession(this.#services.sessions, name);
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      formatTitle(session.profile, name),
      vscode.ViewColumn.Active,
    );
    this.#add(
      panel,
      name,
      new Dashboard({ services: this.#services, panel, connection: name, focus: series, controls: DEFAULT_CONTROLS }),
    );
  }

  /** Fills a panel after a reload of the window. Never rejects. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = savedState.safeParse(state);
    // Each connection has one panel.
    if (!read.success || this.#dashboards.has(read.data.connection)) {
      panel.dispose();
      return Promise.resolve();
    }
    const { connection, controls } = read.data;
    this.#add(
      panel,
      connection,
      new Dashboard({ services: this.#services, panel, connection, focus: undefined, controls }),
    );
    return Promise.resolve();
  }

  #add(panel: vscode.WebviewPanel, name: string, dashboard: Dashboard): void {
    this.#dashboards.set(name, dashboard);
    panel.onDidDispose(() => this.#dashboards.delete(name));
  }
}

function parseArgument(argument: string | TreeArgument | undefined): { connection?: string; series?: string } {
  if (typeof argument === 'string') return { connection: argument };
  if (argument === undefined) return {};
  const connection: unknown = Reflect.get(argument, 'connection');
  const series: unknown = Reflect.get(argument, 'series');
  return {
    ...(typeof connection === 'string' && { connection }),
    ...(typeof series === 'string' && { series }),
  };
}
