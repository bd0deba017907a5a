/** What differs between two environments, as a tree in the Source Control view, with diffs and decorations. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { Change, Comparison, Difference } from './compare.ts';
import { getKindLabel } from './inventory.ts';
import { formatDocument } from './report.ts';

const SCHEME = 'smartobject-environment';
const CHANGES = ['changed', 'added', 'removed'] as const satisfies readonly Change[];

interface Row {
  readonly difference: Difference;
  /** its documents: a side without the resource has none */
  readonly original: vscode.Uri | undefined;
  readonly modified: vscode.Uri | undefined;
}

/** The tree of one comparison at a time. */
export class ComparisonView {
  readonly #texts = new Map<string, string>();
  readonly #rows = new Map<string, Row>();
  readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #decorationsChanged = new vscode.EventEmitter<undefined>();
  #title = '';
  #control: vscode.SourceControl | undefined;
  #groups: readonly vscode.SourceControlResourceGroup[] = [];
  #missed: vscode.SourceControlResourceGroup | undefined;

  constructor({ subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>) {
    subscriptions.push(
      this.#textChanged,
      this.#decorationsChanged,
      { dispose: () => this.close() },
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.#textChanged.event,
        provideTextDocumentContent: (uri) =>
          this.#texts.get(uri.toString()) ?? `${l10n.t('Compare the environments again.')}\n`,
      }),
      vscode.window.registerFileDecorationProvider({
        onDidChangeFileDecorations: this.#decorationsChanged.event,
        provideFileDecoration: (uri) => {
          const change = uri.scheme === SCHEME ? this.#rows.get(uri.path)?.difference.change : undefined;
          return change && createDecoration(change);
        },
      }),
    );
  }

  /** Replaces what is shown. `title`: the names of both environments. */
  show(title: string, { differences, unread, missed }: Comparison): void {
    if (this.#control === undefined || this.#title !== title) this.#open(title);
    this.#texts.clear();
    this.#rows.clear();
    for (const difference of differences) this.#add(difference);
    for (const [index, change] of CHANGES.entries()) {
      const group = this.#groups[index];
      if (group !== undefined)
        group.resourceStates = [...this.#rows.values()]
          .filter(({ difference }) => difference.change === change)
          .map((row) => this.#createState(row));
    }
    if (this.#missed !== undefined)
      this.#missed.resourceStates = missed.map((kind) =>
        this.#createMissed(getKindLabel(kind), unread.get(kind) ?? ''),
      );
    this.#decorationsChanged.fire(undefined);
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.#textChanged.fire(uri);
  }

  /** Each resource with both its documents, as `vscode.changes` takes them. */
  listChanges(): readonly (readonly (vscode.Uri | undefined)[])[] {
    return [...this.#rows.values()].map(({ original, modified }) => [modified ?? original, original, modified]);
  }

  /** The difference of a row of the view. */
  find(row: unknown): Difference | undefined {
    const uri: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'resourceUri') : undefined;
    return uri instanceof vscode.Uri ? this.#rows.get(uri.path)?.difference : undefined;
  }

  close(): void {
    this.#control?.dispose();
    this.#control = undefined;
    this.#texts.clear();
    this.#rows.clear();
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasComparison', false);
  }

  #open(title: string): void {
    this.close();
    this.#title = title;
    const root = vscode.Uri.from({ scheme: SCHEME, path: '/' });
    const control = vscode.scm.createSourceControl('smartObjectsEnvironments', title, root);
    control.inputBox.visible = false;
    const labels = { changed: l10n.t('Changed'), added: l10n.t('Added'), removed: l10n.t('Removed') };
    this.#control = control;
    void vscode.commands.executeCommand('setContext', 'smartObjects.hasComparison', true);
    this.#groups = CHANGES.map((change) => {
      const group = control.createResourceGroup(change, labels[change]);
      group.hideWhenEmpty = true;
      return group;
    });
    this.#missed = control.createResourceGroup('missed', l10n.t('Not compared'));
    this.#missed.hideWhenEmpty = true;
  }

  #add(difference: Difference): void {
    const { kind, name, from, to } = difference;
    // The rows show the folder; `resourceLabelFormatters` of the manifest omits the slash.
    const start = `/${kind}/${toFileName(name)}`;
    let path = `${start}.json`;
    for (let number = 2; this.#rows.has(path); number++) path = `${start} (${String(number)}).json`;
    const create = (place: 'from' | 'to', side: Difference['from']): vscode.Uri | undefined => {
      if (side === undefined) return undefined;
      // With the title: a document of another comparison is not this one.
      const uri = vscode.Uri.from({ scheme: SCHEME, path, query: `${place}=${this.#title}` });
      this.#texts.set(uri.toString(), formatDocument(side.value));
      return uri;
    };
    this.#rows.set(path, { difference, original: create('from', from), modified: create('to', to) });
  }

  #createState({ difference, original, modified }: Row): vscode.SourceControlResourceState {
    const resourceUri = modified ?? original ?? vscode.Uri.from({ scheme: SCHEME, path: '/' });
    const name = toPlainText(difference.name, 80);
    const command =
      original === undefined || modified === undefined
        ? { command: 'vscode.open', arguments: [resourceUri] }
        : { command: 'vscode.diff', arguments: [original, modified, l10n.t('{0} ({1})', name, this.#title)] };
    return {
      resourceUri,
      command: { title: l10n.t('Open Changes'), ...command },
      decorations: {
        strikeThrough: difference.change === 'removed',
        tooltip: createDecoration(difference.change).tooltip ?? '',
      },
    };
  }

  /** A kind that could not be read; its document is the reason. */
  #createMissed(label: string, reason: string): vscode.SourceControlResourceState {
    const resourceUri = vscode.Uri.from({ scheme: SCHEME, path: `/${toFileName(label)}`, query: this.#title });
    const text = toPlainText(reason, 300);
    this.#texts.set(resourceUri.toString(), `${text}\n`);
    return {
      resourceUri,
      command: { title: l10n.t('Open'), command: 'vscode.open', arguments: [resourceUri] },
      decorations: { iconPath: new vscode.ThemeIcon('warning'), tooltip: text },
    };
  }
}

function toFileName(text: string): string {
  return toPlainText(text, 120).replaceAll(/[/\\]/g, '-');
}

function createDecoration(change: Change): vscode.FileDecoration {
  const [badge, color, tooltip] = {
    added: ['A', 'gitDecoration.addedResourceForeground', l10n.t('Only in the second environment')],
    removed: ['D', 'gitDecoration.deletedResourceForeground', l10n.t('Only in the first environment')],
    changed: ['M', 'gitDecoration.modifiedResourceForeground', l10n.t('Different')],
  }[change];
  return new vscode.FileDecoration(badge, tooltip, new vscode.ThemeColor(color ?? ''));
}
