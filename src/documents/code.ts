/** Ids in the person's own files: hovers and links on those that were met before. Nothing is asked of the platform. */
import * as vscode from 'vscode';
import type { KnownId } from '../connections/id-index.ts';
import { Disposables, type Disposable } from '../ui/disposables.ts';
import { lookUpCard, resourceCard } from './card.ts';
import { addressOf } from './choose.ts';
import type { Desk } from './desk.ts';
import { uriOf } from './file-system.ts';
import { rowOf } from './lookup.ts';
import { idLikeAt, knownTokenAt, knownTokens } from './tokens.ts';
import { pictureOfKnown } from './thumbnail.ts';
import { documentOf } from './way.ts';

/** UTF-16 units; larger files are data. */
const LARGEST = 1024 * 1024;
/** Of a line that is as long as a file, what stands around the pointer. */
const AROUND = 1024;
/** Lines above and below the visible ones whose links are made, too. */
const MARGIN = 100;
/** Connections that know the same id and are shown. */
const MOST_CARDS = 3;
const PAUSE = 500;

function linksIds(): boolean {
  return vscode.workspace.getConfiguration('smartObjects').get('linkIds') !== false;
}

export class CodeIds implements Disposable {
  readonly #desk: Desk;
  readonly #owned = new Disposables();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #covered = new WeakMap<vscode.TextDocument, readonly vscode.Range[]>();
  #timer: NodeJS.Timeout | undefined;
  /** Fires when links should be asked for again. */
  readonly onDidChangeLinks = this.#changed.event;

  constructor(desk: Desk) {
    this.#desk = desk;
    const { window, workspace } = vscode;
    this.#owned.add(
      desk.services.ids.index.onDidChange(() => {
        this.#soon();
      }),
    );
    this.#owned.add(
      desk.services.sessions.onDidChange(() => {
        this.#soon();
      }),
    );
    this.#owned.add(
      window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges }) => {
        const covered = this.#covered.get(textEditor.document);
        if (covered === undefined || visibleRanges.every((range) => covered.some((one) => one.contains(range)))) return;
        this.#soon();
      }),
    );
    this.#owned.add(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('smartObjects.linkIds')) this.#changed.fire();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  /** Together: a list that loads tells of a hundred ids at once, and scrolling never stops. */
  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, PAUSE);
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const at = await this.#at(document, position);
    if (at === undefined) return undefined;
    const cards = at.known.slice(0, MOST_CARDS).map((known) => this.#card(known));
    if (cards.length > 0) return new vscode.Hover(cards, at.range);
    const { active } = this.#desk.services.sessions;
    if (active === undefined || active.signedOutBecause !== undefined) return undefined;
    return new vscode.Hover(lookUpCard(at.id), at.range);
  }

  /** Only of what is known: for any other id nothing is asked. */
  async provideHoverPicture(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const at = await this.#at(document, position);
    const picture = await pictureOfKnown(this.#desk, at?.known[0]);
    return at === undefined || picture === undefined ? undefined : new vscode.Hover(picture, at.range);
  }

  /** The id at a position and what is known of it, which may be nothing. */
  async #at(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<{ readonly id: string; readonly known: readonly KnownId[]; readonly range: vscode.Range } | undefined> {
    if (!linksIds() || isTooLarge(document)) return undefined;
    const index = await this.#desk.services.ids.ready();
    const from = Math.max(0, position.character - AROUND);
    const text = document.lineAt(position.line).text.slice(from, position.character + AROUND);
    const at = position.character - from;
    const token = knownTokenAt(text, at, (id) => this.#live(index.find(id)).length > 0) ?? idLikeAt(text, at);
    if (token === undefined) return undefined;
    const range = new vscode.Range(position.line, from + token.start, position.line, from + token.end);
    return { id: token.text, known: this.#live(index.find(token.text)), range };
  }

  #card(known: KnownId): vscode.MarkdownString {
    const session = this.#desk.services.sessions.get(known.connection);
    const address = addressOf(known);
    const readable = session !== undefined && documentOf(session, known.kind, address.id) !== undefined;
    return resourceCard(address, known, readable, Date.now());
  }

  /** The active connection's first. */
  #live(entries: readonly KnownId[]): readonly KnownId[] {
    const { sessions } = this.#desk.services;
    const active = sessions.active?.profile.name;
    return entries
      .filter(({ connection, kind }) => sessions.get(connection) !== undefined && rowOf(kind) !== undefined)
      .toSorted((a, b) => Number(b.connection === active) - Number(a.connection === active));
  }

  /** Of what is visible, and a little around it. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (!linksIds() || isTooLarge(document)) return [];
    const { index } = this.#desk.services.ids;
    const ranges = visibleRanges(document);
    this.#covered.set(document, ranges);
    return ranges.flatMap((range) => {
      const start = document.offsetAt(range.start);
      const tokens = knownTokens(document.getText(range), (id) => this.#wayTo(index.find(id)) !== undefined);
      return tokens.flatMap((token) => {
        const way = this.#wayTo(index.find(token.text));
        if (way === undefined) return [];
        const where = new vscode.Range(
          document.positionAt(start + token.start),
          document.positionAt(start + token.end),
        );
        const link = new vscode.DocumentLink(where, way.uri);
        link.tooltip = way.tooltip;
        return [link];
      });
    });
  }

  #wayTo(entries: readonly KnownId[]): { readonly uri: vscode.Uri; readonly tooltip: string } | undefined {
    for (const known of this.#live(entries)) {
      const session = this.#desk.services.sessions.get(known.connection);
      const resource = session === undefined ? undefined : documentOf(session, known.kind, addressOf(known).id);
      if (resource === undefined) continue;
      return {
        uri: uriOf(resource),
        tooltip: `Open ${rowOf(known.kind)?.singular ?? 'resource'} of ${known.connection}`,
      };
    }
    return undefined;
  }
}

function isTooLarge(document: vscode.TextDocument): boolean {
  return document.offsetAt(document.lineAt(document.lineCount - 1).range.end) > LARGEST;
}

function visibleRanges(document: vscode.TextDocument): readonly vscode.Range[] {
  const visible = vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .flatMap((editor) => editor.visibleRanges);
  const wider = visible
    .map((range) => new vscode.Range(Math.max(0, range.start.line - MARGIN), 0, range.end.line + MARGIN, 0))
    .map((range) => document.validateRange(range))
    .toSorted((a, b) => a.start.compareTo(b.start));
  // Two editors of the same file, or folded regions: no id may be linked twice.
  const merged: vscode.Range[] = [];
  for (const range of wider) {
    const last = merged.at(-1);
    const joined = last?.intersection(range) === undefined ? undefined : last.union(range);
    if (joined === undefined) merged.push(range);
    else merged.splice(-1, 1, joined);
  }
  return merged;
}
