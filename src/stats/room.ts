/** The statistics panels: one a connection, opened by the command or restored after a reload. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { TreeArgument } from '../commands/ids.ts';
import { DEFAULT_CONTROLS, kept } from '../webviews/protocol-statistics.ts';
import { Dashboard, titleOf } from './dashboard.ts';

export const VIEW_TYPE = 'smartObjects.statistics';

export class StatisticsRoom {
  readonly #services: Services;
  readonly #open = new Map<string, Dashboard>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** `of`: a connection's name, or a tree row of one, perhaps of a series. */
  async show(of: string | TreeArgument | undefined): Promise<void> {
    const { connection, series } = askedFor(of);
    const name = connection ?? (await this.#services.sessions.choose('Show statistics of'))?.profile.name;
    if (name === undefined) return;
    const known = this.#open.get(name);
    if (known !== undefined) {
      known.reveal(series);
      return;
    }
    const session = this.#services.sessions.get(name);
    if (session === undefined) throw new Error(`there is no connection named ${name}; add it, or choose another`);
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, titleOf(session.profile, name), vscode.ViewColumn.Active);
    this.#add(
      panel,
      name,
      new Dashboard({ services: this.#services, panel, connection: name, focus: series, controls: DEFAULT_CONTROLS }),
    );
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = kept.safeParse(state);
    // Two windows' worth of state can name the same connection; one panel shows it.
    if (!read.success || this.#open.has(read.data.connection)) {
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
    this.#open.set(name, dashboard);
    panel.onDidDispose(() => this.#open.delete(name));
  }
}

function askedFor(of: string | TreeArgument | undefined): { connection?: string; series?: string } {
  if (typeof of === 'string') return { connection: of };
  if (of === undefined) return {};
  const connection: unknown = Reflect.get(of, 'connection');
  const series: unknown = Reflect.get(of, 'series');
  return {
    ...(typeof connection === 'string' && { connection }),
    ...(typeof series === 'string' && { series }),
  };
}
