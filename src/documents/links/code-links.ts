import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IdIndex, KnownId } from '../../cache/id-index.ts';
import { Disposables, type Disposable } from '../../ui/disposables.ts';
import { createLabelCard, createLookUpCard, createOrganizationCard, createResourceCard } from './hover-card.ts';
import { getAddress } from '../lookup/pick-resource.ts';
import type { DocumentsContext } from '../context.ts';
import { toUri } from '../content/file-system.ts';
import { findIdLikeAt, findKnownTokenAt, findKnownTokens, isAddress } from './id-tokens.ts';
import { loadThumbnailCard } from './hover-thumbnail.ts';
import { getLinkedResource } from './link-targets.ts';
import { getDefinition } from '../../platform/registry.ts';
import { isLinkingEnabled } from '../../ui/link-setting.ts';

/** UTF-16 units; larger files are data. */
const MAX_FILE_LENGTH = 1024 * 1024;
/** Characters before and after the pointer that are searched: a minified file is one line. */
const LINE_CONTEXT = 1024;
/** Lines above and below the visible ones that get links too. */
const MARGIN_LINES = 100;
/** Connections whose cards are shown for one id. */
const MAX_CARDS = 3;
const DEBOUNCE = 500;
/** Has no definition: the contract cannot read organizations. */
const ORGANIZATIONS = 'organizations';

/** Hovers and links on known ids in the user's own files; sends no API requests. */
export class CodeLinks implements Disposable {
  readonly #context: DocumentsContext;
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #covered = new WeakMap<vscode.TextDocument, readonly vscode.Range[]>();
  #timer: NodeJS.Timeout | undefined;
  /** Fires when links should be computed again. */
  readonly onDidChangeLinks = this.#changed.event;

  constructor(context: DocumentsContext) {
    this.#context = context;
    const { window, workspace } = vscode;
    this.#disposables.add(context.services.knownIds.index.onDidChange(() => this.#scheduleChange()));
    this.#disposables.add(context.services.sessions.onDidChange(() => this.#scheduleChange()));
    this.#disposables.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        const covered = this.#covered.get(textEditor.document);
        if (
          covered === undefined ||
          visibleRanges.every((range) => covered.some((coveredRange) => coveredRange.contains(range)))
        )
          return;
        this.#scheduleChange();
      }),
    );
    this.#disposables.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('smartObjects.linkIds')) this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#disposables.dispose();
  }

  /** Combines the changes of a loading list, and of scrolling, into one. */
  #scheduleChange(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, DEBOUNCE);
  }

  /** Explains a known id. Never rejects. */
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const at = await this.#findIdAt(document, position);
    if (at === undefined) return undefined;
    const cards = at.known.slice(0, MAX_CARDS).map((known) => this.#createCard(known));
    if (cards.length > 0) return new vscode.Hover(cards, at.range);
    const label = this.#getLabel(at.id);
    if (label !== undefined || isAddress(at.id)) return new vscode.Hover(createLabelCard(at.id, label), at.range);
    const { active } = this.#context.services.sessions;
    if (active === undefined || active.signedOutReason !== undefined) return undefined;
    return new vscode.Hover(createLookUpCard(at.id), at.range);
  }

  /** Provides the picture of a known resource, fetched from the connection's origin. Never rejects. */
  async provideThumbnailHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const at = await this.#findIdAt(document, position);
    const picture = await loadThumbnailCard(this.#context, at?.known[0]);
    return at === undefined || picture === undefined ? undefined : new vscode.Hover(picture, at.range);
  }

  /** Finds the id at a position and the known resources that have it. */
  async #findIdAt(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly id: string; readonly known: readonly KnownId[]; readonly range: vscode.Range } | undefined> {
    if (!isLinkingEnabled() || isTooLarge(document)) return undefined;
    const index = await this.#context.services.knownIds.load();
    const from = Math.max(0, position.character - LINE_CONTEXT);
    const text = document.lineAt(position.line).text.slice(from, position.character + LINE_CONTEXT);
    const at = position.character - from;
    const token =
      findKnownTokenAt(
        text,
        at,
        (id) => this.#getLabel(id) !== undefined || this.#findAvailable(index, id).length > 0,
      ) ?? findIdLikeAt(text, at);
    if (token === undefined) return undefined;
    const range = new vscode.Range(position.line, from + token.start, position.line, from + token.end);
    return { id: token.text, known: this.#findAvailable(index, token.text), range };
  }

  #createCard(known: KnownId): vscode.MarkdownString {
    const session = this.#context.services.sessions.get(known.connection);
    const address = getAddress(known);
    const target = session === undefined ? undefined : getLinkedResource(session, known.kind, address.id);
    if (known.kind === ORGANIZATIONS && target !== undefined)
      return createOrganizationCard(target, known.id, known.title);
    const label = this.#getLabel(known.id);
    return createResourceCard(address, { known, label, readable: target !== undefined, now: Date.now() });
  }

  #getLabel(value: string): string | undefined {
    return this.#context.services.labels.get(value)?.text;
  }

  /** Finds the resources and organizations of existing connections that have an id; the active connection first. */
  #findAvailable(index: IdIndex, id: string): readonly KnownId[] {
    const { sessions } = this.#context.services;
    const active = sessions.active?.profile.name;
    const resources = index
      .find(id)
      .filter(({ connection, kind }) => sessions.get(connection) !== undefined && getDefinition(kind) !== undefined);
    const organizations = sessions.all.flatMap(({ profile, organizations }) =>
      organizations
        .filter((organization) => organization.id === id)
        .map(({ label }) => ({ connection: profile.name, kind: ORGANIZATIONS, id, title: label ?? '' })),
    );
    return [...resources, ...organizations].toSorted(
      (a, b) => Number(b.connection === active) - Number(a.connection === active),
    );
  }

  /** Provides links for the visible lines and some around them. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (!isLinkingEnabled() || isTooLarge(document)) return [];
    const { index } = this.#context.services.knownIds;
    const ranges = getVisibleRanges(document);
    this.#covered.set(document, ranges);
    return ranges.flatMap((range) => {
      const start = document.offsetAt(range.start);
      const tokens = findKnownTokens(document.getText(range), (id) => this.#findTarget(index, id) !== undefined);
      return tokens.flatMap((token) => {
        const target = this.#findTarget(index, token.text);
        if (target === undefined) return [];
        const linkRange = new vscode.Range(
          document.positionAt(start + token.start),
          document.positionAt(start + token.end),
        );
        const link = new vscode.DocumentLink(linkRange, target.uri);
        link.tooltip = target.tooltip;
        return [link];
      });
    });
  }

  #findTarget(index: IdIndex, id: string): { readonly uri: vscode.Uri; readonly tooltip: string } | undefined {
    for (const known of this.#findAvailable(index, id)) {
      const session = this.#context.services.sessions.get(known.connection);
      const resource = session === undefined ? undefined : getLinkedResource(session, known.kind, getAddress(known).id);
      if (resource === undefined) continue;
      const tooltip =
        known.kind === ORGANIZATIONS
          ? l10n.t('Open your role in this organization on {0}', known.connection)
          : l10n.t('Open on {0} ({1})', known.connection, getDefinition(known.kind)?.singular ?? l10n.t('resource'));
      return { uri: toUri(resource), tooltip };
    }
    return undefined;
  }
}

function isTooLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > MAX_FILE_LENGTH;
}

function getVisibleRanges(document: vscode.TextDocument): readonly vscode.Range[] {
  const visible = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap((editor) => editor.visibleRanges);
  const wider = visible
    .map((range) => new vscode.Range(Math.max(0, range.start.line - MARGIN_LINES), 0, range.end.line + MARGIN_LINES, 0))
    .map((range) => document.validateRange(range))
    .toSorted((a, b) => a.start.compareTo(b.start));
  // Two editors of one file, or folded regions, may overlap: an id must not be linked twice.
  const merged: vscode.Range[] = [];
  for (const range of wider) {
    const last = merged.at(-1);
    const joined = last?.intersection(range) === undefined ? undefined : last.union(range);
    if (joined === undefined) merged.push(range);
    else merged.splice(-1, 1, joined);
  }
  return merged;
}
