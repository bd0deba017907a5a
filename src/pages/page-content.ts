/** What the page of one resource shows: its document, its template and face, and its lists, each read once. */
import * as l10n from '@vscode/l10n';
import { fetchPicture } from './picture.ts';
import { formatTitle } from '../cache/title-lookup.ts';
import type { FeatureContext, Services } from '../commands/context.ts';
import { getFreshness } from '../documents/content/freshness.ts';
import type { ShownDocument } from '../documents/content/document-store.ts';
import type { DocumentsContext } from '../documents/context.ts';
import { getLinkedResource } from '../documents/links/link-targets.ts';
import { FaceFrames, type FaceGates } from '../faces/face-frames.ts';
import { readNewestObject, type ResourceReference } from '../faces/source/pickers.ts';
import { PreviewLoader } from '../faces/source/preview-loader.ts';
import { parseSource } from '../faces/source/source.ts';
import type { LogsHooks } from '../logs/register.ts';
import { getPictureUrl, resolvePictureUrl } from '../cache/picture.ts';
import { isCancelled } from '../model/text/error-message.ts';
import { formatHeading } from '../model/text/heading.ts';
import { isSameResource, type ResourceArgument } from '../model/resources/resource-argument.ts';
import type { Session } from '../model/session/session.ts';
import { getValuesAt } from '../platform/json/field-values.ts';
import { getDefinition } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import { runInForeground } from '../ui/foreground.ts';
import type { PageState } from '../webviews/protocol/page.ts';
import type { PagePolicy } from '../webviews/html.ts';
import { listActions, listCommands } from './actions.ts';
import { createDocumentState, createNotice, createProblem, type PageProblem } from './document-state.ts';
import { MintChart } from './mint-chart.ts';
import { createFieldContext, type FieldContext } from './fields.ts';
import { renderPageFace } from './page-face.ts';
import { PageHistory } from './page-history.ts';
import { getListSources, isLogList, RelatedList } from './related-list.ts';

export interface PageServices {
  readonly features: FeatureContext;
  readonly services: Services;
  readonly documents: DocumentsContext;
  readonly gates: FaceGates;
  readonly logs: LogsHooks;
}

interface PageContentOptions extends PageServices {
  readonly resource: ResourceArgument;
  readonly tab: string;
  readonly ping: () => number | false;
  readonly onDidChange: () => void;
  readonly onUnresponsive: () => void;
}

export const OVERVIEW = 'overview';
export const HISTORY = 'history';
/** Items of the first list that the overview shows. */
const OVERVIEW_ITEMS = 6;
const LIST_ITEMS = 24;

/** What the page adds to a state: the place of its panel. */
type PanelState = Pick<PageState, 'canGoBack' | 'isPreview' | 'stored'>;

/** The content of a page. */
export class PageContent {
  readonly resource: ResourceArgument;
  readonly frames: FaceFrames;
  tab: string;
  readonly #options: PageContentOptions;
  readonly #disposal = new AbortController();
  readonly #face: PreviewLoader | undefined;
  /** the object whose data a face is shown with */
  #samples: readonly ResourceReference[] | undefined;
  readonly #lists: readonly RelatedList[];
  readonly #history: PageHistory | undefined;
  readonly #chart: MintChart | undefined;
  /** what can be read of the resource; an organization has the user's role in it */
  readonly #target: ResourceArgument | undefined;
  #hold: { dispose(): unknown } | undefined;
  #document: ShownDocument | undefined;
  #template: unknown;
  #problem: PageProblem | undefined;
  /** why the template, and so the actions, could not be read */
  #templateProblem: PageProblem | undefined;
  /** the last one: another one reloads the page, which then loses the focus */
  #policy: PagePolicy = { frameContent: 'face', images: ['data:'] };
  #isBusy = false;
  #loading = new AbortController();
  #reads = new Map<string, Promise<ShownDocument>>();
  #picture: string | undefined;

  constructor(options: PageContentOptions) {
    const { resource, services, documents, onDidChange } = options;
    this.#options = options;
    this.resource = resource;
    this.tab = options.tab;
    const session = this.session;
    this.#target = session === undefined ? resource : getLinkedResource(session, resource.kind, resource.id);
    const { signal } = this.#disposal;
    this.frames = new FaceFrames({
      ...options,
      ...options.gates,
      fetchImage: (send, url, abort) => fetchPicture(services.thumbnails, send, url, this.#pictureUrl, abort),
    });
    const definition = this.#definition;
    const hasFace = definition?.features?.some((feature) => feature === 'face' || feature === 'filePreview') === true;
    this.#face = hasFace
      ? new PreviewLoader(services, async (kind, id) => (await this.#read({ ...resource, kind, id })).item.raw)
      : undefined;
    this.#lists = getListSources(resource, this.#getAddress(session)).map(
      (source) => new RelatedList(source, services, onDidChange),
    );
    this.#chart = MintChart.supports(resource.kind) ? new MintChart(resource.id, signal, onDidChange) : undefined;
    if (definition?.features?.includes('history') === true)
      this.#history = new PageHistory({
        ...options,
        // Anew: what the page has read may be older than the last log.
        readObject: async () => (await documents.store.refresh(resource, signal)).item.raw,
      });
    const listeners = [
      documents.store.onDidChange(({ resource: changed }) => {
        if (this.#target !== undefined && isSameResource(changed, this.#target))
          this.#show(documents.store.get(changed));
      }),
      services.labels.onDidChange(onDidChange),
    ];
    signal.addEventListener('abort', () => {
      for (const listener of listeners) listener.dispose();
    });
  }

  get session(): Session | undefined {
    return this.#options.services.sessions.get(this.resource.connection);
  }

  /** Whether the resource or its template could not be read the last time. */
  get hasFailed(): boolean {
    return this.#problem !== undefined || this.#templateProblem !== undefined;
  }

  get title(): string {
    const { kind, id } = this.resource;
    const { definition, item } = this.#document ?? {};
    if (definition === undefined || item === undefined || kind === 'organizations')
      return toPlainText(this.#fieldContext.getName(kind, id) ?? id, 80);
    return formatTitle(this.#options.services, this.resource, definition, item.raw, 120);
  }

  get #definition(): ResourceDefinition | undefined {
    return getDefinition(this.resource.kind);
  }

  get #kindLabel(): string {
    const { kind } = this.resource;
    return kind === 'organizations' ? l10n.t('organization') : (this.#definition?.singular ?? kind);
  }

  get #pictureUrl(): string | undefined {
    const { session } = this;
    const own = getPictureUrl(this.#document?.item.raw) ?? getPictureUrl(this.#template);
    return session === undefined || own === undefined ? undefined : resolvePictureUrl(own, session.profile.baseUrl);
  }

  /** The address of a registered wallet. */
  #getAddress(session: Session | undefined): string | undefined {
    const issued = session?.issuedResources.get(`${this.resource.kind}/${this.resource.id}`);
    return getValuesAt(issued?.raw, 'account.address')[0];
  }

  dispose(): void {
    this.#disposal.abort();
    this.#loading.abort();
    this.#hold?.dispose();
    this.frames.dispose();
    this.#face?.dispose();
    this.#history?.dispose();
    for (const list of this.#lists) list.dispose();
  }

  /** Reads what the page shows, everything again with `refresh`; a failure keeps what was read. Never rejects. */
  load(refresh: boolean): Promise<void> {
    // The user waits for the page.
    return runInForeground(() => this.#load(refresh), false);
  }

  async #load(refresh: boolean): Promise<void> {
    this.#loading.abort();
    const { signal } = (this.#loading = new AbortController());
    const isOver = (): boolean => signal.aborted || this.#disposal.signal.aborted;
    this.#reads = new Map();
    this.#isBusy = true;
    if (refresh) this.frames.clear();
    this.#options.onDidChange();
    const { store } = this.#options.documents;
    if (refresh) this.#reader = (resource) => store.refresh(resource, signal);
    else this.#reader = (resource) => store.open(resource, signal);
    try {
      if (this.#target !== undefined) this.#document = await this.#read(this.#target);
      this.#hold ??= this.#target === undefined ? undefined : store.hold(this.#target);
      this.#problem = undefined;
      void this.#options.documents.recents.add(this.resource, this.title);
    } catch (error) {
      if (isOver()) return;
      const stored = this.#target && store.get(this.#target);
      if (stored !== undefined) this.#document = stored;
      this.#problem = createProblem(this.#kindLabel, error);
    }
    if (isOver()) return;
    this.#options.onDidChange();
    await Promise.all([this.#loadTemplate(), this.#loadFace(refresh), this.#loadPicture(), this.#loadTab(refresh)]);
    if (isOver()) return;
    // The history has read it again.
    const latest = this.#target && store.get(this.#target);
    if (latest !== undefined) this.#document = latest;
    await this.#loadPicture();
    this.#isBusy = false;
    this.#options.onDidChange();
  }

  #reader: (resource: ResourceArgument) => Promise<ShownDocument> = (resource) =>
    this.#options.documents.store.open(resource);

  /** Reads a resource once for each load. */
  #read(resource: ResourceArgument): Promise<ShownDocument> {
    const { connection, kind, id } = resource;
    const key = `${kind}/${id}`;
    let reading = this.#reads.get(key);
    if (reading === undefined) this.#reads.set(key, (reading = this.#reader({ connection, kind, id })));
    return reading;
  }

  /** Shows what another editor has read. */
  #show(shownDocument: ShownDocument | undefined): void {
    if (shownDocument === undefined || this.#isBusy) return;
    const isOther = shownDocument.text !== this.#document?.text;
    this.#document = shownDocument;
    this.#problem = undefined;
    this.#options.onDidChange();
    if (isOther) void this.load(false);
  }

  async #loadTemplate(): Promise<void> {
    const { templateField: field, references } = this.#definition ?? {};
    const id = field === undefined ? undefined : getValuesAt(this.#document?.item.raw, field)[0];
    const kind = field === undefined ? undefined : references?.[field];
    if (id === undefined || kind === undefined) return;
    try {
      this.#template = (await this.#read({ ...this.resource, kind, id })).item.raw;
      this.#templateProblem = undefined;
    } catch (error) {
      if (isCancelled(error)) return;
      // Those of an earlier read stay.
      this.#templateProblem = createProblem(getDefinition(kind)?.singular ?? kind, error);
    }
    this.#options.onDidChange();
  }

  async #loadFace(refresh: boolean): Promise<void> {
    const source = parseSource(this.resource);
    if (this.#face === undefined || source === undefined || this.#document === undefined) return;
    const signal = this.#face.start(source);
    const { connection, kind, id } = this.resource;
    const { session } = this;
    // A face by itself has no data for its placeholders.
    if (kind === 'faces' && session !== undefined && (refresh || this.#samples === undefined))
      this.#samples = await readNewestObject(session, id, signal);
    if (await this.#face.load(source, connection, this.#samples ?? [], refresh, signal)) this.#options.onDidChange();
  }

  async #loadPicture(): Promise<void> {
    const url = this.#pictureUrl;
    const { services, onDidChange } = this.#options;
    const picture = url === undefined ? undefined : await services.thumbnails.load(url, this.#disposal.signal);
    if (picture === this.#picture) return;
    this.#picture = picture;
    onDidChange();
  }

  /** Reads what the tab shows. Never rejects. */
  async #loadTab(refresh: boolean): Promise<void> {
    const { session } = this;
    if (session === undefined || session.signedOutReason !== undefined) return;
    if (this.#showsHistory) {
      await this.#history?.load(refresh);
      return;
    }
    await Promise.all([
      this.#list?.load(session, refresh),
      this.tab === OVERVIEW ? this.#chart?.load(session, refresh) : undefined,
    ]);
  }

  /** Shows another tab; `refresh`: reads it again. */
  async selectTab(tab: string, refresh = false): Promise<void> {
    if (!this.#tabs.some(({ key }) => key === tab)) return;
    this.tab = tab;
    this.#options.onDidChange();
    await this.#loadTab(refresh);
  }

  /** Compares the states before and after a step of the history. Rejects with Error if one is missing. */
  async diff(key: string): Promise<void> {
    await this.#history?.diff(key);
  }

  /** A state that the history knows, by its root. */
  getKnownState(root: string): unknown {
    return this.#history?.getState(root, this.#document?.item.raw);
  }

  /** The source of a list, by its tab. */
  getList(tab: string): RelatedList['source'] | undefined {
    return this.#lists.find(({ source }) => source.key === tab)?.source;
  }

  get #tabs(): PageState['tabs'] {
    return [
      { key: OVERVIEW, label: l10n.t('Overview') },
      ...(this.#history === undefined ? [] : [{ key: HISTORY, label: l10n.t('History') }]),
      ...this.#lists.map(({ source: { key, label } }) => ({ key, label })),
    ];
  }

  /** The list that the tab shows. */
  get #list(): RelatedList | undefined {
    return this.tab === OVERVIEW
      ? this.#lists.find(({ source }) => !isLogList(source))
      : this.#lists.find(({ source }) => source.key === this.tab);
  }

  /** The logs of an object are those of its history. */
  get #showsHistory(): boolean {
    const list = this.#list;
    return this.#history !== undefined && (this.tab === HISTORY || (list !== undefined && isLogList(list.source)));
  }

  get #fieldContext(): FieldContext {
    return createFieldContext(this.#options.services, this.resource);
  }

  /** The state to post, with the policy of the page. */
  getState(panel: PanelState): { readonly state: PageState; readonly policy: PagePolicy } {
    const { resource, session, tab } = this;
    const { kind, id, connection } = resource;
    const shown = this.#document;
    const isOverview = tab === OVERVIEW;
    const context = this.#fieldContext;
    const label = this.#options.services.labels.get(id)?.text;
    const { groups, ...described } = createDocumentState(resource, shown, context, label);
    const hasFace = isOverview && (shown !== undefined || this.#isBusy);
    const { face, policy = this.#policy } = renderPageFace(hasFace ? this.#face : undefined, this.frames);
    this.#policy = policy;
    const list = this.#list;
    const logs = this.#getLogs();
    const history = tab === HISTORY ? this.#history : undefined;
    const definition = this.#definition;
    const timeMachine = definition && history?.createTimeMachine(definition, shown?.item.raw, context);
    const freshness = shown === undefined ? undefined : getFreshness(shown, session);
    const isReadable = this.#target !== undefined;
    const isSignedOut = session?.signedOutReason !== undefined;
    const notice =
      createNotice(this.#problem, shown, freshness, isSignedOut, isReadable) ??
      (this.#templateProblem && { ...this.#templateProblem, tone: 'warning' });
    return {
      policy,
      state: {
        ...panel,
        key: `${connection}\n${kind}\n${id}`,
        title: this.title,
        kind: this.#kindLabel,
        connection,
        heading: session === undefined ? connection : formatHeading(session.profile, session.identityName),
        production: session?.profile.environment === 'production',
        ...described,
        ...(this.#picture !== undefined && { picture: this.#picture }),
        busy: this.#isBusy,
        freshness: freshness?.text ?? '',
        ...(notice !== undefined && { notice }),
        actions: [...listActions(resource, this.#template ?? shown?.item.raw)],
        commands: [...listCommands(kind)],
        hasJson: isReadable,
        tabs: this.#tabs,
        tab,
        groups: isOverview ? groups : [],
        ...(face !== undefined && { face }),
        ...(isOverview && this.#chart?.state !== undefined && { chart: this.#chart.state }),
        ...(list !== undefined &&
          !isLogList(list.source) && {
            list: {
              ...list.getState(connection, isOverview ? OVERVIEW_ITEMS : LIST_ITEMS, context.now),
              title: list.source.label,
              tab: list.source.key,
            },
          }),
        ...(history?.shown !== undefined && { history: history.shown }),
        ...(timeMachine !== undefined && { timeMachine }),
        ...(logs !== undefined && { logs }),
      },
    };
  }

  #getLogs(): PageState['logs'] {
    const list = this.#list;
    if (list === undefined || !isLogList(list.source)) return undefined;
    return this.#history === undefined
      ? list.getLogs(this.resource.connection)
      : this.#history.createLogs(this.#isBusy);
  }
}
