import * as l10n from '@vscode/l10n';
import { getLocation, type Location } from 'jsonc-parser';
import { readColumnsBeside } from './data-columns.ts';
import * as vscode from 'vscode';
import type { ActionsContext } from '../context.ts';
import { SANDBOX_BUYER } from '../../connections/sandbox/running.ts';
import { DEFAULT_IDENTITY, type Session } from '../../model/session/session.ts';
import { formatError } from '../../model/text/error-message.ts';
import { isPlaceholder } from '../../model/text/placeholder.ts';
import { isLinkingEnabled } from '../../ui/link-setting.ts';
import { findRefusedFields } from '../file/refused-fields.ts';
import { checkActionFile } from '../file/check-action-file.ts';
import { isTooLarge, parseActionFile } from '../file/action-file.ts';
import { getActionKind, type ActionField } from '../file/action-kinds.ts';
import {
  createFieldItems,
  createIdentityItems,
  createKindItems,
  createResourceItem,
  getTokenRange,
} from './completion-items.ts';
import type { KnownResource } from './live-data.ts';
import { preflight } from '../file/preflight.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { checkTestFile, type KnownIdentities } from '../testing/check-test-file.ts';
import { variableKinds } from '../../model/text/variables.ts';
import { isScenarioPath, isSuitePath, isTestPath } from '../file/file-names.ts';
import { isCheckedDocument } from './action-documents.ts';
import type { Finding, Fix } from '../file/findings.ts';

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

/** A diagnostic with its fixes, for the version of the document that was checked. */
class FindingDiagnostic extends vscode.Diagnostic {
  readonly fixes: readonly Fix[];
  readonly version: number;
  constructor(document: vscode.TextDocument, { offset, length, message, severity, code, fixes }: Finding) {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    super(range, message, SEVERITIES[severity]);
    this.source = 'Smart Objects';
    this.code = code;
    this.fixes = fixes;
    this.version = document.version;
  }
}

/** Diagnostics, fixes, completions and hovers of action files. */
export class LanguageFeatures {
  readonly #context: ActionsContext;
  readonly #diagnostics: vscode.DiagnosticCollection;
  /** version and session of documents that were checked against live data */
  readonly #checked = new Map<string, { readonly version: number; readonly session: Session }>();

  /** fixes of code actions whose edits were not computed yet */
  readonly #pendingFixes = new WeakMap<
    vscode.CodeAction,
    { readonly fix: Fix; readonly document: vscode.TextDocument; readonly version: number }
  >();

  constructor(context: ActionsContext, diagnostics: vscode.DiagnosticCollection) {
    this.#context = context;
    this.#diagnostics = diagnostics;
  }

  get #session(): Session | undefined {
    return this.#context.services.sessions.active;
  }

  /** The identities that a file can name: those of the active connection, or of the sandbox of a scenario. */
  #getIdentities({ path }: vscode.Uri): KnownIdentities | undefined {
    if (isScenarioPath(path)) return { connection: l10n.t('Sandbox'), names: [DEFAULT_IDENTITY, SANDBOX_BUYER] };
    const connection = this.#session?.profile.name;
    if (connection === undefined) return undefined;
    const sessions = this.#context.services.sessions.getIdentities(connection);
    return { connection, names: sessions.map(({ identityName }) => identityName ?? DEFAULT_IDENTITY) };
  }

  /**
   * Checks a document without the platform at once; if it `isTyped`, against live data a moment later. Never rejects.
   */
  async check(document: vscode.TextDocument, isTyped: boolean): Promise<void> {
    const { uri, version } = document;
    if (this.#checked.get(uri.toString())?.version === version) return;
    this.#checked.delete(uri.toString());
    const isCurrent = (): boolean => !document.isClosed && document.version === version;
    if (isTestPath(uri.path)) {
      const findings = await checkTestFile(uri.path, document.getText(), (relative) => fileExists(uri, relative), {
        secrets: this.#context.services.knownSecrets(),
        identities: this.#getIdentities(uri),
      });
      if (isCurrent()) this.#setDiagnostics(document, findings);
      return;
    }
    this.#setDiagnostics(
      document,
      checkActionFile(parseActionFile(document.getText()), this.#context.services.knownSecrets()),
    );
    if (!isTyped) return;
    await new Promise((resolve) => setTimeout(resolve, 600));
    const session = this.#session;
    if (session === undefined || session.signedOutReason !== undefined || !isCurrent()) return;
    await this.preflight(document, session, session.ended, true);
  }

  /** Discards findings of another connection or user, and checks visible documents again. */
  handleSessionChange(): void {
    for (const document of vscode.workspace.textDocuments) {
      if (isTestPath(document.uri.path) && isCheckedDocument(document))
        void this.check(document, false).catch(() => undefined);
      const checked = this.#checked.get(document.uri.toString());
      if (checked === undefined || checked.session === this.#session) continue;
      this.clear(document);
      const inView = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
      void this.check(document, inView).catch(() => undefined);
    }
  }

  clear(document: vscode.TextDocument): void {
    this.#checked.delete(document.uri.toString());
    this.#diagnostics.delete(document.uri);
  }

  /** Checks a document against live data. `quiet`: omits what could not be looked up. Never rejects. */
  async preflight(
    document: vscode.TextDocument,
    session: Session,
    signal: AbortSignal,
    quiet = false,
  ): Promise<readonly Finding[]> {
    const { version } = document;
    const live = this.#context.liveData.get(session);
    await session.loadPermissions(signal);
    const all = await preflight(
      parseActionFile(document.getText()),
      live.preflight,
      signal,
      this.#context.services.knownSecrets(),
    );
    const findings = quiet ? all.filter(({ code }) => code !== 'notChecked') : all;
    // A newer version, or another connection, has its own check.
    if (document.version === version && !document.isClosed && (!quiet || session === this.#session)) {
      this.#checked.set(document.uri.toString(), { version, session });
      this.#setDiagnostics(document, findings);
    }
    return findings;
  }

  /** Shows the reason of a refusal at the field that it names, if the file is still as it was sent. */
  showRefusal(run: RunRecord): void {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === run.file);
    if (document === undefined || document.isClosed || document.getText() !== run.source) return;
    const findings = findRefusedFields(parseActionFile(run.source), run.reason ?? '');
    if (findings.length === 0) return;
    const others = (this.#diagnostics.get(document.uri) ?? []).filter(({ code }) => code !== 'refused');
    this.#diagnostics.set(document.uri, [
      ...others,
      ...findings.map((finding) => new FindingDiagnostic(document, finding)),
    ]);
  }

  #setDiagnostics(document: vscode.TextDocument, findings: readonly Finding[]): void {
    // The JSON service of the editor reports syntax errors.
    const visible = findings.filter(({ code }) => code !== 'syntax' || document.languageId === 'plaintext');
    // A check that ends after a run does not take away what the platform refused in the same text.
    const refused = (this.#diagnostics.get(document.uri) ?? []).filter(
      (one) => one.code === 'refused' && one instanceof FindingDiagnostic && one.version === document.version,
    );
    this.#diagnostics.set(document.uri, [
      ...visible.map((finding) => new FindingDiagnostic(document, finding)),
      ...refused,
    ]);
  }

  /** The fixes of the given findings, without their edits. */
  getFixes(document: vscode.TextDocument, context: vscode.CodeActionContext): vscode.CodeAction[] {
    return context.diagnostics.flatMap((requested) => {
      // VS Code may pass a copy of the diagnostic.
      const diagnostic = (this.#diagnostics.get(document.uri) ?? []).find(
        (one) => one.range.isEqual(requested.range) && one.message === requested.message,
      );
      if (!(diagnostic instanceof FindingDiagnostic) || diagnostic.version !== document.version) return [];
      return diagnostic.fixes.map((fix) => {
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [requested];
        action.isPreferred = fix.preferred === true;
        this.#pendingFixes.set(action, { fix, document, version: diagnostic.version });
        return action;
      });
    });
  }

  /** Computes the edit of a fix that is about to be shown or applied. */
  resolveFix(action: vscode.CodeAction): vscode.CodeAction {
    const { fix, document, version } = this.#pendingFixes.get(action) ?? {};
    if (fix === undefined || document === undefined || document.version !== version) return action;
    action.edit = new vscode.WorkspaceEdit();
    for (const { offset, length, text } of fix.edits()) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      action.edit.replace(document.uri, range, text);
    }
    return action;
  }

  /** Completes keys, ids and variables. Never rejects: what cannot be read is not offered. */
  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const text = document.getText();
    if (isTooLarge(text)) return [];
    const location = getLocation(text, document.offsetAt(position));
    const range = getTokenRange(document, position, location);
    if (isIdentityValue(document.uri.path, location))
      return createIdentityItems(this.#getIdentities(document.uri), range);
    const place = getCursorContext(location);
    if (place === undefined || isTestPath(document.uri.path)) return [];
    if (place.what === 'kind') return createKindItems(location, range);
    if (place.what === 'field') return createFieldItems(place.kind, location, range);
    return this.#createValueItems(place.ids, range, token, await readColumnsBeside(document.uri));
  }

  async #createValueItems(
    ids: ActionField['ids'],
    range: vscode.Range,
    token: vscode.CancellationToken,
    columns: readonly string[],
  ): Promise<vscode.CompletionItem[]> {
    const items = this.#createVariableItems(range, columns);
    const session = this.#session;
    if (ids === undefined || session === undefined) return items;
    const stop = new AbortController();
    const cancelling = token.onCancellationRequested(() => stop.abort());
    const resources = await this.#context.liveData
      .get(session)
      .list(ids, stop.signal)
      .catch(() => []);
    cancelling.dispose();
    if (token.isCancellationRequested) return [];
    const { labels } = this.#context.services;
    const named = resources.map((one) => ({ ...one, name: labels.get(one.id)?.text ?? one.name }));
    return [...named.map((one, index) => createResourceItem(one, index, range)), ...items];
  }

  #createVariableItems(range: vscode.Range, columns: readonly string[]): vscode.CompletionItem[] {
    const about: Readonly<Record<(typeof variableKinds)[number], string>> = {
      row: l10n.t('column of a data file, for Run with Data…'),
      input: l10n.t('prompted for once and stored for this workspace'),
      env: l10n.t('environment variable; requires your permission once'),
      secret: l10n.t('stored secret, for this connection only'),
      file: l10n.t('content of a file, relative to this one'),
      run: l10n.t('result of an earlier run'),
    };
    const runs = [
      ...new Set(this.#context.store.all.filter(({ actionId }) => actionId !== undefined).map(({ name }) => name)),
    ];
    const item = (expression: string, detail: string): vscode.CompletionItem => {
      const completion = new vscode.CompletionItem(`\${${expression}}`, vscode.CompletionItemKind.Variable);
      completion.detail = detail;
      completion.range = range;
      completion.insertText = JSON.stringify(`\${${expression}}`);
      completion.filterText = JSON.stringify(`\${${expression}}`);
      completion.sortText = `z${expression}`;
      return completion;
    };
    return [
      ...columns.map((column) => item(`row:${column}`, about.row)),
      ...runs
        .slice(0, 20)
        .map((name) => item(`run:${name}.steps[0].output.ids[0]`, l10n.t('first ID in the result of {0}', name))),
      ...variableKinds.filter((kind) => kind !== 'run').map((kind) => item(`${kind}:name`, about[kind])),
    ];
  }

  /** Explains an id. Never rejects: a failure is the text. */
  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const text = document.getText();
    if (isTooLarge(text)) return undefined;
    const location = getLocation(text, document.offsetAt(position));
    const place = getCursorContext(location);
    const node = location.previousNode;
    const cursorOffset = document.offsetAt(position);
    if (
      place === undefined ||
      node === undefined ||
      cursorOffset < node.offset ||
      cursorOffset > node.offset + node.length
    )
      return undefined;
    const range = new vscode.Range(document.positionAt(node.offset), document.positionAt(node.offset + node.length));
    const content = new vscode.MarkdownString();
    // The JSON schema explains keys.
    if (place.what !== 'value' || place.ids === undefined || typeof node.value !== 'string') return undefined;
    const session = this.#session;
    if (session === undefined || node.value === '' || node.value.includes('${') || isPlaceholder(node.value))
      return undefined;
    const { name } = session.profile;
    if (await this.#hasCard(node.value, name)) return undefined;
    const resource = await this.#context.liveData
      .get(session)
      .identify(node.value, token)
      .catch((error: unknown) => formatError(l10n.t('Could not be looked up on {0}', name), error));
    if (typeof resource === 'string') content.appendText(resource);
    else if (resource === undefined) content.appendText(l10n.t('Not found on {0}', name));
    else {
      content.appendText(formatResource(resource));
      if (resource.details !== '') content.appendText(`\n${resource.details}`);
    }
    return new vscode.Hover(content, range);
  }

  /** True for a known or labelled id: in every file of the workspace it has a card with its name. */
  async #hasCard(id: string, connection: string): Promise<boolean> {
    if (!isLinkingEnabled()) return false;
    if (this.#context.services.labels.get(id) !== undefined) return true;
    const index = await this.#context.services.knownIds.load();
    return index.find(id).some((known) => known.connection === connection);
  }
}

function formatResource({ kind, name }: Pick<KnownResource, 'kind' | 'name'>): string {
  switch (kind) {
    case 'objects':
      return l10n.t('Object “{0}”', name);
    case 'templates':
      return l10n.t('Template “{0}”', name);
    case 'faces':
      return l10n.t('Face “{0}”', name);
    case 'wallets':
      return l10n.t('Wallet “{0}”', name);
  }
}

/** Whether the cursor is at the value of `as` of an expectation or of a step. */
function isIdentityValue(file: string, { path, isAtPropertyKey }: Location): boolean {
  if (isAtPropertyKey || path.at(-1) !== 'as') return false;
  return isSuitePath(file) ? path.length === 3 && path[0] === 'steps' : isTestPath(file) && path.length === 1;
}

type CursorContext =
  | { readonly what: 'kind' }
  | { readonly what: 'field'; readonly kind: string }
  | { readonly what: 'value'; readonly ids: ActionField['ids'] };

/** What the cursor is at; `undefined` for anything else than kinds, fields and values. */
function getCursorContext({ path, isAtPropertyKey }: Location): CursorContext | undefined {
  if (path[0] !== 'action') return undefined;
  const kind = path[1];
  if (path.length === 2 && isAtPropertyKey) return { what: 'kind' };
  if (typeof kind !== 'string' || path.length < 3) return undefined;
  if (path.length === 3 && isAtPropertyKey) return { what: 'field', kind };
  if (isAtPropertyKey) return undefined;
  const field = path.length === 3 ? getActionKind(kind)?.fields.find(({ name }) => name === path[2]) : undefined;
  return { what: 'value', ids: field === undefined ? guessIdKind(path) : field.ids };
}

/** The kind of id that an unknown field takes, by its name: `data.face_id`, `ids[0]`. */
function guessIdKind(path: Location['path']): ActionField['ids'] {
  const name = String(path.findLast((part) => typeof part === 'string'));
  const [, what = ''] = /^(?:.*[_.])?(object|template|face|wallet)(?:_?id)s?$/i.exec(name) ?? [];
  if (/^ids?$/.test(name)) return 'objects';
  if (/^(?:owner|to)$/.test(name)) return 'wallets';
  return (['objects', 'templates', 'faces', 'wallets'] as const).find((kind) => kind === `${what.toLowerCase()}s`);
}

function fileExists(uri: vscode.Uri, relative: string): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '..', relative))).then(
    () => true,
    () => false,
  );
}
