import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { FeatureContext, Services } from '../commands/context.ts';
import { Approvals } from './policy/approvals.ts';
import { ComparisonTexts } from './compare.ts';
import type { FaceGates } from './face-frames.ts';
import { UnconfirmedFrames } from './frame-watch.ts';
import { openUntitledHtml } from './json-string.ts';
import { areScriptsAllowed, PANEL_TYPE, SCRIPTED_PANEL_TYPE } from './panel-types.ts';
import { PreviewPanel } from './preview-panel.ts';
import { getVariantText } from './source/face.ts';
import { loadSource } from './source/load.ts';
import { findNewestObject, findNewestWithFace, pickResource, type PickableKind } from './source/pickers.ts';
import {
  isAsset,
  isFaceFile,
  storedPreviewSchema,
  getSourceKey,
  toStoredSource,
  parseSource,
  type StoredPreview,
  type ResourceSource,
  type Source,
} from './source/source.ts';
import { findPulledFace } from '../model/pulled/pulled-folder.ts';
import { RESOURCE_SCHEME } from '../model/resources/resource-schemes.ts';

/** Beside the active editor, which stays visible; in its place if that is a preview too, or if there is none. */
function getPreviewColumn(): vscode.ViewColumn {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const { input } = activeTab ?? {};
  // VS Code puts a prefix before the type.
  const isPreview = input instanceof vscode.TabInputWebview && /\.(?:face|scriptedFace)$/.test(input.viewType);
  return activeTab === undefined || isPreview ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

/** Opens, reveals and restores previews: one panel for each source. */
export class FacesController {
  readonly #features: FeatureContext;
  readonly #services: Services;
  /** for other pages with faces */
  readonly gates: FaceGates;
  readonly #comparisonTexts: ComparisonTexts;
  readonly #panels = new Map<string, PreviewPanel>();

  constructor(features: FeatureContext, services: Services) {
    this.#features = features;
    this.#services = services;
    this.gates = {
      approvals: new Approvals(services.context.globalState),
      unconfirmed: new UnconfirmedFrames(path.join(services.context.globalStorageUri.fsPath, 'unconfirmed-frames')),
    };
    this.#comparisonTexts = features.addDisposable(new ComparisonTexts());
  }

  /**
   * Previews what the argument names, else the active editor's face, else what the user picks; `newest`: the newest object
   * with a face. Rejects with PlatformError.
   */
  async preview(argument: unknown, kind: PickableKind = 'faces'): Promise<void> {
    const newest = argument === 'newest' ? await findNewestWithFace(this.#services, l10n.t('Preview Face')) : undefined;
    const source =
      parseSource(newest === undefined ? argument : { ...newest, kind: 'objects' }) ??
      this.#activeEditorSource(kind) ??
      (await this.#pickSource(kind));
    if (source !== undefined) await this.#open(source, false);
  }

  /** Opens the face lab for a file; content of a resource is opened as an untitled file. Rejects with PlatformError. */
  async openLab(argument: unknown): Promise<void> {
    const source = parseSource(argument) ?? this.#activeEditorSource('faces') ?? (await this.#pickSource('faces'));
    if (source?.type !== 'resource' || isAsset(source)) {
      if (source !== undefined) await this.#open(source, true, await this.#findPulled(source));
      return;
    }
    const { sessions, ui } = this.#services;
    const { face } = await ui.progress(l10n.t('Loading face'), (signal) => loadSource(sessions, source, signal));
    await this.#openLabFile(source, face.id, getVariantText(face).content, []);
  }

  /** The face of a pulled file to compare with, and an object that has it; `undefined` for any other source. Never rejects. */
  async #findPulled(source: Source): Promise<Pick<StoredPreview, 'objects' | 'compareWith'> | undefined> {
    if (source.type !== 'file' || source.uri.scheme !== 'file' || this.#panels.has(getSourceKey(source)))
      return undefined;
    const face = await findPulledFace(source.uri.fsPath);
    const { all, active } = this.#services.sessions;
    const connection = [...(active === undefined ? [] : [active]), ...all].find(
      ({ profile, organizations }) =>
        profile.environment === face?.environment && organizations.some(({ id }) => id === face?.organization),
    )?.profile.name;
    if (face === undefined || connection === undefined) return undefined;
    const objects = [...(await findNewestObject(this.#services, connection, face.id))];
    return { objects, compareWith: { connection, id: face.id } };
  }

  /** Opens `content` as an untitled file, with the objects of its source and the face to compare with. */
  async #openLabFile(
    source: ResourceSource,
    faceId: string | undefined,
    content: string,
    objects: StoredPreview['objects'],
  ) {
    const { connection, kind, id } = source;
    const face = kind === 'faces' ? id : faceId;
    const { uri } = await openUntitledHtml(content);
    await this.#open({ type: 'file', uri }, true, {
      objects:
        objects.length > 0
          ? objects
          : kind === 'objects'
            ? [{ connection, id }]
            : [...(await findNewestObject(this.#services, connection, face))],
      compareWith: face === undefined ? undefined : { connection, id: face },
    });
  }

  /** Fills a panel that VS Code restores. Rejects with ZodError if the stored state is invalid. */
  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const preview = storedPreviewSchema.parse(
      typeof state === 'object' && state !== null ? Reflect.get(state, 'keep') : undefined,
    );
    await this.#createPanel(panel, preview);
  }

  async #open(
    source: Source,
    lab: boolean,
    initial: Pick<StoredPreview, 'objects' | 'compareWith'> = { objects: [], compareWith: undefined },
  ): Promise<void> {
    const existing = this.#panels.get(getSourceKey(source));
    const type = areScriptsAllowed() ? SCRIPTED_PANEL_TYPE : PANEL_TYPE;
    if (existing !== undefined) {
      // Whether scripts run depends on the panel type, which cannot change.
      if (existing.hasType(type)) existing.reveal(lab);
      else await this.#replacePanel(existing, type, lab);
      return;
    }
    const viewColumn = getPreviewColumn();
    const panel = vscode.window.createWebviewPanel(
      type,
      l10n.t('Face'),
      { viewColumn, preserveFocus: viewColumn === vscode.ViewColumn.Beside },
      { enableFindWidget: false },
    );
    await this.#createPanel(panel, { source: toStoredSource(source), variant: '', lab, ...initial });
  }

  async #replacePanel(existing: PreviewPanel, type: string, lab: boolean): Promise<void> {
    const { viewColumn, preview } = existing.restoreState;
    const panel = vscode.window.createWebviewPanel(type, l10n.t('Face'), { viewColumn, preserveFocus: true });
    existing.close();
    await this.#createPanel(panel, { ...preview, lab: preview.lab || lab });
  }

  async #createPanel(panel: vscode.WebviewPanel, preview: StoredPreview): Promise<void> {
    const face = new PreviewPanel({
      features: this.#features,
      services: this.#services,
      ...this.gates,
      comparisonTexts: this.#comparisonTexts,
      panel,
      preview,
      onDidChangeSource: (movedPanel, previousKey) => {
        if (this.#panels.get(previousKey) === movedPanel) this.#panels.delete(previousKey);
        // Keep one panel for each file.
        this.#panels.get(movedPanel.key)?.close();
        this.#panels.set(movedPanel.key, movedPanel);
      },
      onUnresponsive: (unresponsive) => {
        const type = areScriptsAllowed() ? SCRIPTED_PANEL_TYPE : PANEL_TYPE;
        void this.#replacePanel(unresponsive, type, false);
      },
      openLab: (...from) => this.#openLabFile(...from),
    });
    this.#panels.set(face.key, face);
    panel.onDidDispose(() => {
      if (this.#panels.get(face.key) === face) this.#panels.delete(face.key);
    });
    await face.reload(false);
  }

  #activeEditorSource(kind: PickableKind): Source | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined || (kind !== 'faces' && uri.scheme !== RESOURCE_SCHEME)) return undefined;
    const html = vscode.window.activeTextEditor?.document.languageId === 'html';
    return uri.scheme === RESOURCE_SCHEME || html || isFaceFile(uri) ? parseSource(uri) : undefined;
  }

  async #pickSource(kind: PickableKind): Promise<Source | undefined> {
    const chosen = await pickResource(
      this.#services,
      kind,
      undefined,
      kind === 'faces' ? l10n.t('Preview Face') : l10n.t('Preview Asset'),
    );
    return chosen === undefined ? undefined : { type: 'resource', kind, ...chosen };
  }
}
