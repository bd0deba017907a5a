import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import * as vscode from 'vscode';
import type { Services } from '../commands/context.ts';
import type { TreeArgument } from '../model/resources/resource-argument.ts';
import { requireSession } from '../model/session/require-session.ts';
import { DEFAULT_CONTROLS, savedState, type Controls } from '../webviews/protocol/statistics.ts';
import { Dashboard } from './dashboard.ts';
import { VIEW_TYPE } from './view-type.ts';

/** A row of the tree: a connection, or one of its series. */
const rowSchema = z.object({ connection: z.string(), series: z.optional(z.string()) });

/** Owns the statistics panels, one for each connection, opened by the command or restored after a reload. */
export class StatisticsController {
  readonly #services: Services;
  readonly #dashboards = new Map<string, Dashboard>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Opens the panel of the named, clicked or picked connection. Rejects with PlatformError if there is no such connection. */
  async show(argument: string | TreeArgument | undefined): Promise<void> {
    const { sessions } = this.#services;
    const row = rowSchema.safeParse(typeof argument === 'string' ? { connection: argument } : argument).data;
    const name = row?.connection ?? (await sessions.pickSession(l10n.t('Select a connection')))?.profile.name;
    if (name === undefined) return;
    let dashboard = this.#dashboards.get(name);
    if (dashboard === undefined) {
      requireSession(sessions, name);
      const panel = vscode.window.createWebviewPanel(VIEW_TYPE, l10n.t('Statistics'), vscode.ViewColumn.Active);
      dashboard = this.#create(panel, name, DEFAULT_CONTROLS);
    }
    dashboard.reveal(row?.series);
  }

  /** Fills a panel after a reload of the window. Never rejects. */
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { success, data } = savedState.safeParse(state);
    // Each connection has one panel.
    if (!success || this.#dashboards.has(data.connection)) panel.dispose();
    else this.#create(panel, data.connection, data.controls);
    return Promise.resolve();
  }

  #create(panel: vscode.WebviewPanel, name: string, controls: Controls): Dashboard {
    const dashboard = new Dashboard(this.#services, panel, name, controls);
    this.#dashboards.set(name, dashboard);
    panel.onDidDispose(() => this.#dashboards.delete(name));
    return dashboard;
  }
}
