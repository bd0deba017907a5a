import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Touched } from '../actions/controller.ts';
import { getTargetResource } from '../documents/context.ts';
import { resolveResource } from '../documents/lookup/resolve-resource.ts';
import { parseOrganization, parseConnection } from '../model/resources/parse-argument.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { storedPageSchema, type StoredPage } from '../webviews/protocol/page.ts';
import { isObject } from '../platform/json/json.ts';
import { HISTORY, OVERVIEW, type PageServices } from './page-content.ts';
import { PagePanel } from './page-panel.ts';
import { PAGE_TYPE } from './view-type.ts';

/** `active`: in place of the preview; `kept`: also, and the next resource does not replace it */
type Place = 'active' | 'kept' | 'beside';

/** Milliseconds in which opening the same resource again is a double-click. */
const DOUBLE_CLICK_MS = 500;

/** Opens, reuses and restores the pages of resources. */
export class PagesController {
  readonly #services: PageServices;
  readonly #pages = new Set<PagePanel>();
  #lastOpened = { page: undefined as PagePanel | undefined, at: 0 };

  constructor(services: PageServices) {
    this.#services = services;
    const getActive = (): PagePanel | undefined => [...this.#pages].find(({ isActive }) => isActive);
    services.documents.pages.getActive = getActive;
    services.features.getPageResource = () => getActive()?.resource;
  }

  /**
   * Opens the page of what the argument names, else of what the user picks: the page that it has, else in place of the
   * preview. A second time at once, as by a double-click, keeps it.
   */
  async open(argument: unknown, place: Place): Promise<void> {
    const resource =
      parseUnreadable(argument) ?? (await resolveResource(this.#services.documents, argument, l10n.t('Open Page')));
    if (resource !== undefined) this.#show(resource, place);
  }

  /** Opens the history of the object that the argument names, else of the active document's, else of one whose id the user enters. */
  async openHistory(argument: unknown): Promise<void> {
    const named = getTargetResource(this.#services.documents, argument);
    const object = named?.kind === 'objects' ? named : await this.#inputObject(parseConnection(argument));
    if (object !== undefined) await this.#show(object, 'active').selectTab(HISTORY, true);
  }

  async #inputObject(name: string | undefined): Promise<ResourceArgument | undefined> {
    const { sessions, ui } = this.#services.services;
    const session =
      name === undefined
        ? await sessions.pickSession(l10n.t('Select the connection of the object'))
        : sessions.get(name);
    if (session === undefined) return undefined;
    const id = await ui.input({ title: l10n.t('Show Object History'), prompt: l10n.t('Object ID') });
    const trimmed = id?.trim() ?? '';
    return trimmed === '' ? undefined : { connection: session.profile.name, kind: 'objects', id: trimmed };
  }

  #show(resource: ResourceArgument, place: Place): PagePanel {
    const now = Date.now();
    const pages = place === 'beside' ? [] : [...this.#pages];
    const own = pages.find((page) => page.shows(resource));
    const isAgain = own !== undefined && this.#lastOpened.page === own && now - this.#lastOpened.at < DOUBLE_CLICK_MS;
    const reused = own ?? pages.find(({ isPreview }) => isPreview);
    if (reused !== undefined && own === undefined) reused.show(resource);
    // A user who opens it again expects what was missing.
    else if (own?.hasFailed === true && !isAgain) void own.refresh();
    reused?.reveal();
    const column = place === 'beside' ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    const page = reused ?? this.#create({ resource, tab: OVERVIEW, back: [], isPreview: place === 'active' }, column);
    if (isAgain || place === 'kept') page.keep();
    this.#lastOpened = { page, at: now };
    return page;
  }

  #create(stored: StoredPage, column: vscode.ViewColumn): PagePanel {
    return this.#attach(vscode.window.createWebviewPanel(PAGE_TYPE, l10n.t('Page'), column, {}), stored);
  }

  #attach(panel: vscode.WebviewPanel, stored: StoredPage): PagePanel {
    const page = new PagePanel({
      ...this.#services,
      panel,
      stored,
      openBeside: (resource) => {
        this.#show(resource, 'beside');
      },
      onUnresponsive: (unresponsive) => {
        const { viewColumn, stored: state } = unresponsive.restoreState;
        unresponsive.close();
        this.#create(state, viewColumn);
      },
    });
    this.#pages.add(page);
    panel.onDidDispose(() => this.#pages.delete(page));
    return page;
  }

  /** Fills a panel that VS Code restores. Throws ZodError if the stored state is invalid. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    this.#attach(panel, storedPageSchema.parse(isObject(state) ? state['stored'] : undefined));
  }

  /**
   * Reads the pages again that show what a run has touched: its objects, their templates, and accounts, which may have got
   * or given them. Never rejects.
   */
  async refreshTouched({ connection, ids }: Touched): Promise<void> {
    const touched = [...this.#pages].filter(
      ({ resource: { kind, id, ...resource } }) =>
        resource.connection === connection && (kind === 'wallets' || ids.includes(id)),
    );
    await Promise.all(touched.map((page) => page.refresh()));
  }
}

/** Returns an organization or an account, whose pages show what refers to them: the API cannot read them. */
function parseUnreadable(argument: unknown): ResourceArgument | undefined {
  const connection = parseConnection(argument);
  const row = isObject(argument) && isObject(argument['resource']) ? argument['resource'] : argument;
  if (connection === undefined || !isObject(row)) return undefined;
  const { kind, id } = row;
  if ((kind === 'organizations' || kind === 'wallets') && typeof id === 'string' && id !== '')
    return { connection, kind, id: id.slice(0, 1024) };
  const organization = isObject(argument) && argument['type'] === 'scope' ? parseOrganization(argument) : undefined;
  return organization === undefined ? undefined : { connection, kind: 'organizations', id: organization };
}
