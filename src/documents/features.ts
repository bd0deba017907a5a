/** What a resource's document offers beside its text: links and hovers on ids, hashes, addresses and moments. */
import * as vscode from 'vscode';
import type { ResourceArgument } from '../commands/ids.ts';
import type { KnownId } from '../connections/id-index.ts';
import type { Session } from '../connections/types.ts';
import { analyse, markAt, type Analysis, type Mark } from './analysis.ts';
import { momentCard, noteCard, organizationCard, resourceCard } from './card.ts';
import { addressOf } from './choose.ts';
import { MAX_DEPTH } from '../platform/json-limits.ts';
import type { Desk } from './desk.ts';
import { resourceOf, uriOf } from './file-system.ts';
import { rowOf } from './lookup.ts';
import { pictureOfKnown } from './thumbnail.ts';
import { documentOf, outsideOf } from './way.ts';

/** Said of a value that stands for what is not shown. */
export const CUT = `This value is not shown, because it is nested deeper than ${String(MAX_DEPTH)} levels.`;

export class DocumentFeatures implements vscode.DocumentLinkProvider, vscode.HoverProvider {
  readonly #desk: Desk;
  readonly #analysed = new WeakMap<vscode.TextDocument, { readonly version: number; readonly analysis: Analysis }>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Of the text as it stands; derived once a version. */
  analysisOf(document: vscode.TextDocument): Analysis {
    const known = this.#analysed.get(document);
    if (known?.version === document.version) return known.analysis;
    const resource = resourceOf(document.uri);
    const analysis = analyse(document.getText(), resource === undefined ? undefined : rowOf(resource.kind));
    this.#analysed.set(document, { version: document.version, analysis });
    return analysis;
  }

  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const session = this.#sessionOf(document);
    await this.#desk.services.ids.ready();
    return this.analysisOf(document).marks.flatMap((mark) => this.#link(document, mark, session));
  }

  #link(document: vscode.TextDocument, mark: Mark, session: Session | undefined): vscode.DocumentLink[] {
    if (mark.is === 'url') return [linkTo(document, mark, vscode.Uri.parse(mark.value), 'Open in browser')];
    const way = session === undefined ? undefined : this.#wayOf(session, mark);
    const own = resourceOf(document.uri);
    // A resource's own id leads to where one is.
    if (way !== undefined && !(way.kind === own?.kind && way.id === own.id)) {
      const what = rowOf(way.kind)?.singular ?? 'resource';
      return [
        linkTo(
          document,
          mark,
          uriOf(way),
          mark.reference === 'organizations' ? 'Open your role there' : `Open ${what}`,
        ),
      ];
    }
    const outside = session === undefined ? undefined : outsideOf(session, mark);
    if (outside === undefined) return [];
    return [linkTo(document, mark, vscode.Uri.parse(outside), `Open ${mark.link ?? ''} in browser`)];
  }

  /** By what the contract says of the field, else by what earlier answers told of the very same id. */
  #wayOf(session: Session, mark: Mark): ResourceArgument | undefined {
    if (mark.reference !== undefined) return documentOf(session, mark.reference, mark.value);
    const known = mark.is === 'word' ? this.#known(session, mark.value) : undefined;
    return known === undefined ? undefined : documentOf(session, known.kind, addressOf(known).id);
  }

  #known(session: Session, id: string, kind?: string): KnownId | undefined {
    return this.#desk.services.ids.index
      .find(id)
      .find((known) => known.connection === session.profile.name && (kind === undefined || known.kind === kind));
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const mark = markAt(this.analysisOf(document).marks, document.offsetAt(position));
    if (mark === undefined) return undefined;
    await this.#desk.services.ids.ready();
    const card = this.#card(document, mark);
    return card === undefined ? undefined : new vscode.Hover(card, rangeOf(document, mark));
  }

  /** Only of what is known: for any other id nothing is asked. */
  async provideHoverPicture(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const mark = markAt(this.analysisOf(document).marks, document.offsetAt(position));
    const session = this.#sessionOf(document);
    if (mark === undefined || session === undefined) return undefined;
    await this.#desk.services.ids.ready();
    const picture = await pictureOfKnown(this.#desk, this.#known(session, mark.value, mark.reference));
    return picture === undefined ? undefined : new vscode.Hover(picture, rangeOf(document, mark));
  }

  #card(document: vscode.TextDocument, mark: Mark): vscode.MarkdownString | undefined {
    if (mark.is === 'moment') return momentCard(mark.time, Date.now());
    if (mark.is === 'hidden') {
      return noteCard(
        'Hidden: this value is a secret. It is masked before anything is shown, copied, exported or kept.',
      );
    }
    if (mark.is === 'cut') return noteCard(CUT);
    const session = this.#sessionOf(document);
    if (session === undefined || mark.is === 'url') return undefined;
    const known = this.#known(session, mark.value, mark.reference);
    const kind = mark.reference ?? known?.kind;
    if (kind === 'organizations') return this.#organizationCard(session, mark);
    if (kind === undefined) return undefined;
    const readable = documentOf(session, kind, mark.value) !== undefined;
    const resource =
      known === undefined ? { connection: session.profile.name, kind, id: mark.value } : addressOf(known);
    // An asset that stands in another resource may be known there alone.
    const of = kind === 'assets' ? resourceOf(document.uri) : undefined;
    return resourceCard(of === undefined ? resource : { ...resource, of }, known, readable, Date.now());
  }

  #organizationCard(session: Session, { value }: Mark): vscode.MarkdownString {
    const label = session.organizations.find(({ id }) => id === value)?.label;
    return organizationCard({ connection: session.profile.name, kind: 'roles', id: `${value}/myrole` }, value, label);
  }

  #sessionOf(document: vscode.TextDocument): Session | undefined {
    const resource = resourceOf(document.uri);
    return resource === undefined ? undefined : this.#desk.services.sessions.get(resource.connection);
  }
}

function linkTo(document: vscode.TextDocument, mark: Mark, target: vscode.Uri, tooltip: string): vscode.DocumentLink {
  const link = new vscode.DocumentLink(rangeOf(document, mark), target);
  link.tooltip = tooltip;
  return link;
}

export function rangeOf(
  document: vscode.TextDocument,
  { offset, length }: { readonly offset: number; readonly length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
