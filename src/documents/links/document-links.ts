import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';
import type { KnownId } from '../../cache/id-index.ts';
import type { Session } from '../../model/session/session.ts';
import { analyse, findMarkAt, type Analysis, type Mark } from './json-analysis.ts';
import {
  createLabelCard,
  createTimeCard,
  createTextCard,
  createOrganizationCard,
  createResourceCard,
} from './hover-card.ts';
import { isAddress } from './id-tokens.ts';
import { getAddress } from '../lookup/pick-resource.ts';
import { formatNumber } from '../../platform/text/localization.ts';
import { MAX_JSON_DEPTH } from '../../platform/json/json-limits.ts';
import { getDefinition } from '../../platform/registry.ts';
import type { DocumentsContext } from '../context.ts';
import { parseUri, toUri } from '../content/file-system.ts';
import { loadThumbnailCard } from './hover-thumbnail.ts';
import { getLinkedResource, getExternalUrl } from './link-targets.ts';

/** Explains a value that replaces one nested too deep. */
export const TOO_DEEP_MESSAGE = l10n.t(
  'This value is nested more than {0} levels deep and is not shown.',
  formatNumber(MAX_JSON_DEPTH),
);

/** Links and hovers on ids, hashes, addresses and times in a resource's document. */
export class DocumentLinks implements vscode.DocumentLinkProvider, vscode.HoverProvider {
  readonly #context: DocumentsContext;
  readonly #analyses = new WeakMap<vscode.TextDocument, { readonly version: number; readonly analysis: Analysis }>();

  constructor(context: DocumentsContext) {
    this.#context = context;
  }

  /** Returns the analysis of the current text, cached by version. */
  getAnalysis(document: vscode.TextDocument): Analysis {
    const known = this.#analyses.get(document);
    if (known?.version === document.version) return known.analysis;
    const resource = parseUri(document.uri);
    const analysis = analyse(document.getText(), resource === undefined ? undefined : getDefinition(resource.kind));
    this.#analyses.set(document, { version: document.version, analysis });
    return analysis;
  }

  /** Links ids, hashes and addresses. Never rejects. */
  async provideDocumentLinks(document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
    const session = this.#getSession(document);
    await this.#context.services.knownIds.load();
    return this.getAnalysis(document).marks.flatMap((mark) => this.#createLinks(document, mark, session));
  }

  #createLinks(document: vscode.TextDocument, mark: Mark, session: Session | undefined): vscode.DocumentLink[] {
    if (mark.type === 'url')
      return [createLink(document, mark, vscode.Uri.parse(mark.value), l10n.t('Open in Browser'))];
    const target = session === undefined ? undefined : this.#findTarget(session, mark);
    const own = parseUri(document.uri);
    // A link from a resource's own id would lead to the same document.
    if (target !== undefined && !(target.kind === own?.kind && target.id === own.id)) {
      const kindName = getDefinition(target.kind)?.singular ?? l10n.t('resource');
      return [
        createLink(
          document,
          mark,
          toUri(target),
          mark.reference === 'organizations'
            ? l10n.t('Open your role in this organization')
            : l10n.t({ message: 'Open {0}', args: [kindName], comment: 'Tooltip of a link: opens a resource' }),
        ),
      ];
    }
    const externalUrl = session === undefined ? undefined : getExternalUrl(session, mark);
    if (externalUrl === undefined) return [];
    return [createLink(document, mark, vscode.Uri.parse(externalUrl), l10n.t('Open in Browser'))];
  }

  /** Resolves the target by the contract's field, otherwise by the known resource with that id. */
  #findTarget(session: Session, mark: Mark): ResourceArgument | undefined {
    if (mark.reference !== undefined) return getLinkedResource(session, mark.reference, mark.value);
    const known = mark.type === 'text' ? this.#findKnown(session, mark.value) : undefined;
    return known === undefined ? undefined : getLinkedResource(session, known.kind, getAddress(known).id);
  }

  #findKnown(session: Session, id: string, kind?: string): KnownId | undefined {
    return this.#context.services.knownIds.index
      .find(id)
      .find((known) => known.connection === session.profile.name && (kind === undefined || known.kind === kind));
  }

  /** Explains ids, times and hidden values. Never rejects. */
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const mark = findMarkAt(this.getAnalysis(document).marks, document.offsetAt(position));
    if (mark === undefined) return undefined;
    await this.#context.services.knownIds.load();
    const card = this.#createCard(document, mark);
    return card === undefined ? undefined : new vscode.Hover(card, toRange(document, mark));
  }

  /** Provides the picture of a known resource, fetched from the connection's origin. Never rejects. */
  async provideThumbnailHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const mark = findMarkAt(this.getAnalysis(document).marks, document.offsetAt(position));
    const session = this.#getSession(document);
    if (mark === undefined || session === undefined) return undefined;
    await this.#context.services.knownIds.load();
    const picture = await loadThumbnailCard(this.#context, this.#findKnown(session, mark.value, mark.reference));
    return picture === undefined ? undefined : new vscode.Hover(picture, toRange(document, mark));
  }

  #createCard(document: vscode.TextDocument, mark: Mark): vscode.MarkdownString | undefined {
    if (mark.type === 'time') return createTimeCard(mark.time, Date.now());
    if (mark.type === 'hidden') {
      return createTextCard(l10n.t('This value is a secret. It is never shown, copied, exported or stored.'));
    }
    if (mark.type === 'tooDeep') return createTextCard(TOO_DEEP_MESSAGE);
    const session = this.#getSession(document);
    if (session === undefined || mark.type === 'url') return undefined;
    const known = this.#findKnown(session, mark.value, mark.reference);
    const kind = mark.reference ?? known?.kind;
    const label = this.#context.services.labels.get(mark.value)?.text;
    if (kind === undefined) {
      const isAccount = mark.link === 'account' || isAddress(mark.value);
      return label !== undefined || isAccount ? createLabelCard(mark.value, label) : undefined;
    }
    const target = getLinkedResource(session, kind, mark.value);
    if (kind === 'organizations' && target !== undefined) {
      const label = session.organizations.find(({ id }) => id === mark.value)?.label;
      return createOrganizationCard(target, mark.value, label);
    }
    const resource =
      known === undefined ? { connection: session.profile.name, kind, id: mark.value } : getAddress(known);
    // An asset may be readable only through the resource that contains it.
    const container =
      getDefinition(kind)?.features?.includes('filePreview') === true ? parseUri(document.uri) : undefined;
    return createResourceCard(container === undefined ? resource : { ...resource, container }, {
      known,
      label,
      readable: target !== undefined,
      now: Date.now(),
    });
  }

  #getSession(document: vscode.TextDocument): Session | undefined {
    const resource = parseUri(document.uri);
    return resource === undefined ? undefined : this.#context.services.sessions.get(resource.connection);
  }
}

function createLink(
  document: vscode.TextDocument,
  mark: Mark,
  target: vscode.Uri,
  tooltip: string,
): vscode.DocumentLink {
  const link = new vscode.DocumentLink(toRange(document, mark), target);
  link.tooltip = tooltip;
  return link;
}

/** Converts an offset and length in UTF-16 units to a range. */
export function toRange(
  document: vscode.TextDocument,
  { offset, length }: { readonly offset: number; readonly length: number },
): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
