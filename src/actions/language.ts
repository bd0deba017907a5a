/** What the editor knows about action files: completions, hovers, findings and their fixes, snippets. */
import { getLocation, type Location } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { errorText } from '../ui/error-text.ts';
import { checkAnswer } from './answer-check.ts';
import { checkFile, type Finding, type Fix } from './check.ts';
import { isTooLarge, parseActionFile } from './file.ts';
import { actionKinds, kindOf, type Field } from './kinds.ts';
import type { Known, LiveSessions } from './live.ts';
import { preflight } from './preflight.ts';
import type { RunRecord } from './record.ts';
import type { RunStore } from './store.ts';
import { checkTests, isTests } from './suite-check.ts';
import { variableKinds } from './variables.ts';

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

/** A diagnostic that brings its fixes along, for the version of the document that was checked. */
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

export class Language {
  readonly #services: Services;
  readonly #live: LiveSessions;
  readonly #store: RunStore;
  readonly #diagnostics: vscode.DiagnosticCollection;
  /** documents that were checked against live data: at which version, and whose data */
  readonly #checked = new Map<string, { readonly version: number; readonly session: Session }>();

  /** the fixes of code actions that were handed out, until their edits are asked for */
  readonly #offered = new WeakMap<
    vscode.CodeAction,
    { readonly fix: Fix; readonly document: vscode.TextDocument; readonly version: number }
  >();

  constructor(services: Services, live: LiveSessions, store: RunStore, diagnostics: vscode.DiagnosticCollection) {
    this.#services = services;
    this.#live = live;
    this.#store = store;
    this.#diagnostics = diagnostics;
  }

  get #session(): Session | undefined {
    return this.#services.sessions.active;
  }

  /** At once without asking the platform; what is typed is compared with live data too, a moment later. */
  async check(document: vscode.TextDocument, typed: boolean): Promise<void> {
    const { uri, version } = document;
    if (this.#checked.get(uri.toString())?.version === version) return;
    this.#checked.delete(uri.toString());
    const isCurrent = (): boolean => !document.isClosed && document.version === version;
    if (isTests(uri.path)) {
      const findings = await checkTests(
        uri.path,
        document.getText(),
        (relative) => isThere(uri, relative),
        this.#services.knownSecrets(),
      );
      if (isCurrent()) this.#put(document, findings);
      return;
    }
    this.#put(document, checkFile(parseActionFile(document.getText()), this.#services.knownSecrets()));
    if (!typed) return;
    await new Promise((resolve) => setTimeout(resolve, 600));
    const session = this.#session;
    if (session === undefined || session.signedOutBecause !== undefined || !isCurrent()) return;
    await this.preflight(document, session, session.ended, true);
  }

  /** What was found out on another connection, or as another person, is taken back; what is in view is checked again. */
  switched(): void {
    for (const document of vscode.workspace.textDocuments) {
      const held = this.#checked.get(document.uri.toString());
      if (held === undefined || held.session === this.#session) continue;
      this.#checked.delete(document.uri.toString());
      const inView = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
      void this.check(document, inView).catch(() => undefined);
    }
  }

  forget(document: vscode.TextDocument): void {
    this.#checked.delete(document.uri.toString());
    this.#diagnostics.delete(document.uri);
  }

  /** Against live data of a connection; `quiet`: what could not be looked up is not told. */
  async preflight(
    document: vscode.TextDocument,
    session: Session,
    signal: AbortSignal,
    quiet = false,
  ): Promise<readonly Finding[]> {
    const { version } = document;
    const live = this.#live.of(session);
    await session.loadPermissions(signal);
    const all = await preflight(
      parseActionFile(document.getText()),
      live.preflight,
      signal,
      this.#services.knownSecrets(),
    );
    const findings = quiet ? all.filter(({ code }) => code !== 'notChecked') : all;
    // What was typed meanwhile has been checked by itself, and so has what another connection is asked for now.
    if (document.version === version && !document.isClosed && (!quiet || session === this.#session)) {
      this.#checked.set(document.uri.toString(), { version, session });
      this.#put(document, findings);
    }
    return findings;
  }

  /** Shows what the platform said against a field at its place, where the file is still as it was sent. */
  answered(run: RunRecord): void {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === run.file);
    if (document === undefined || document.isClosed || document.getText() !== run.source) return;
    const findings = checkAnswer(parseActionFile(run.source), run.reason ?? '');
    if (findings.length === 0) return;
    const others = (this.#diagnostics.get(document.uri) ?? []).filter(({ code }) => code !== 'refused');
    this.#diagnostics.set(document.uri, [
      ...others,
      ...findings.map((finding) => new FindingDiagnostic(document, finding)),
    ]);
  }

  #put(document: vscode.TextDocument, findings: readonly Finding[]): void {
    // The editor's own JSON service reports syntax; twice would be noise.
    const shown = findings.filter(({ code }) => code !== 'syntax' || document.languageId === 'plaintext');
    this.#diagnostics.set(
      document.uri,
      shown.map((finding) => new FindingDiagnostic(document, finding)),
    );
  }

  /** The fixes of the given findings, without their edits. */
  fixes(document: vscode.TextDocument, context: vscode.CodeActionContext): vscode.CodeAction[] {
    return context.diagnostics.flatMap((given) => {
      // What comes back may be a copy: the collection holds ours.
      const ours = (this.#diagnostics.get(document.uri) ?? []).find(
        (one) => one.range.isEqual(given.range) && one.message === given.message,
      );
      if (!(ours instanceof FindingDiagnostic) || ours.version !== document.version) return [];
      return ours.fixes.map((fix) => {
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.diagnostics = [given];
        action.isPreferred = fix.preferred === true;
        this.#offered.set(action, { fix, document, version: ours.version });
        return action;
      });
    });
  }

  /** Computes the edit of a fix that is about to be shown or applied. */
  resolveFix(action: vscode.CodeAction): vscode.CodeAction {
    const { fix, document, version } = this.#offered.get(action) ?? {};
    if (fix === undefined || document === undefined || document.version !== version) return action;
    action.edit = new vscode.WorkspaceEdit();
    for (const { offset, length, text } of fix.edits()) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      action.edit.replace(document.uri, range, text);
    }
    return action;
  }

  async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const text = document.getText();
    if (isTooLarge(text)) return [];
    const location = getLocation(text, document.offsetAt(position));
    const place = placeOf(location);
    if (place === undefined) return [];
    const range = rangeOf(document, position, location);
    if (place.what === 'kind') return kindItems(location, range);
    if (place.what === 'field') return fieldItems(place.kind, location, range);
    return this.#valueItems(place.ids, range, token);
  }

  async #valueItems(
    ids: Field['ids'],
    range: vscode.Range,
    token: vscode.CancellationToken,
  ): Promise<vscode.CompletionItem[]> {
    const items = this.#variableItems(range);
    const session = this.#session;
    if (ids === undefined || session === undefined) return items;
    const stop = new AbortController();
    const cancelling = token.onCancellationRequested(() => {
      stop.abort();
    });
    const known = await this.#live
      .of(session)
      .list(ids, stop.signal)
      .catch(() => []);
    cancelling.dispose();
    if (token.isCancellationRequested) return [];
    return [...known.map((one, index) => knownItem(one, index, range)), ...items];
  }

  #variableItems(range: vscode.Range): vscode.CompletionItem[] {
    const about: Readonly<Record<(typeof variableKinds)[number], string>> = {
      input: 'asked once, remembered in this workspace',
      env: 'environment variable, asked for once',
      secret: 'from the secret store, for this connection only',
      file: 'content of a file beside this one',
      run: 'result of an earlier run',
    };
    const runs = [...new Set(this.#store.all.filter(({ actionId }) => actionId !== undefined).map(({ name }) => name))];
    const item = (inside: string, detail: string): vscode.CompletionItem => {
      const made = new vscode.CompletionItem(`\${${inside}}`, vscode.CompletionItemKind.Variable);
      made.detail = detail;
      made.range = range;
      made.insertText = JSON.stringify(`\${${inside}}`);
      made.filterText = JSON.stringify(`\${${inside}}`);
      made.sortText = `z${inside}`;
      return made;
    };
    return [
      ...runs.slice(0, 20).map((name) => item(`run:${name}.steps[0].output.ids[0]`, `first id that ${name} yielded`)),
      ...variableKinds.filter((kind) => kind !== 'run').map((kind) => item(`${kind}:name`, about[kind])),
    ];
  }

  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const text = document.getText();
    if (isTooLarge(text)) return undefined;
    const location = getLocation(text, document.offsetAt(position));
    const place = placeOf(location);
    const node = location.previousNode;
    const within = document.offsetAt(position);
    if (place === undefined || node === undefined || within < node.offset || within > node.offset + node.length)
      return undefined;
    const range = new vscode.Range(document.positionAt(node.offset), document.positionAt(node.offset + node.length));
    const content = new vscode.MarkdownString();
    // Keys are the schema's to explain.
    if (place.what !== 'value' || place.ids === undefined || typeof node.value !== 'string') return undefined;
    const session = this.#session;
    if (session === undefined || node.value === '' || node.value.includes('${')) return undefined;
    const { name } = session.profile;
    const known = await this.#live
      .of(session)
      .whatIs(node.value, token)
      .catch((error: unknown) => errorText(`Could not be looked up on ${name}`, error));
    if (typeof known === 'string') content.appendText(known);
    else if (known === undefined) content.appendText(`Not known on ${name}`);
    else {
      const singular = known.kind.slice(0, -1);
      content.appendText(`${singular.charAt(0).toUpperCase()}${singular.slice(1)} “${known.name}”`);
      if (known.details !== '') content.appendText(`\n${known.details}`);
    }
    return new vscode.Hover(content, range);
  }
}

type Place =
  | { readonly what: 'kind' }
  | { readonly what: 'field'; readonly kind: string }
  | { readonly what: 'value'; readonly ids: Field['ids'] };

/** Where in an action file the cursor stands; `undefined` outside of what we know. */
function placeOf({ path, isAtPropertyKey }: Location): Place | undefined {
  if (path[0] !== 'action') return undefined;
  const kind = path[1];
  if (path.length === 2 && isAtPropertyKey) return { what: 'kind' };
  if (typeof kind !== 'string' || path.length < 3) return undefined;
  if (path.length === 3 && isAtPropertyKey) return { what: 'field', kind };
  if (isAtPropertyKey) return undefined;
  const field = path.length === 3 ? kindOf(kind)?.fields.find(({ name }) => name === path[2]) : undefined;
  return { what: 'value', ids: field === undefined ? idsByName(path) : field.ids };
}

/** Whose ids a field that the contract does not know takes, by its name: `data.face_id`, `ids[0]`. */
function idsByName(path: Location['path']): Field['ids'] {
  const name = String(path.findLast((part) => typeof part === 'string'));
  const [, what = ''] = /^(?:.*[_.])?(object|template|face|wallet)(?:_?id)s?$/i.exec(name) ?? [];
  if (/^ids?$/.test(name)) return 'objects';
  if (/^(?:owner|to)$/.test(name)) return 'wallets';
  return (['objects', 'templates', 'faces', 'wallets'] as const).find((kind) => kind === `${what.toLowerCase()}s`);
}

function isThere(uri: vscode.Uri, relative: string): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, '..', relative))).then(
    () => true,
    () => false,
  );
}

/** The token under the cursor as a whole, so that a chosen value takes its place. */
function rangeOf(document: vscode.TextDocument, position: vscode.Position, { previousNode }: Location): vscode.Range {
  const offset = document.offsetAt(position);
  if (previousNode === undefined || offset < previousNode.offset || offset > previousNode.offset + previousNode.length)
    return new vscode.Range(position, position);
  const { offset: start, length } = previousNode;
  return new vscode.Range(document.positionAt(start), document.positionAt(start + length));
}

function kindItems({ isAtPropertyKey, previousNode }: Location, range: vscode.Range): vscode.CompletionItem[] {
  // A key that has its value already only changes its name.
  const hasValue = isAtPropertyKey && previousNode?.colonOffset !== undefined && previousNode.colonOffset >= 0;
  return actionKinds.map(({ name, about, fields }) => {
    const item = new vscode.CompletionItem(name, vscode.CompletionItemKind.Method);
    item.detail = about;
    item.range = range;
    item.filterText = JSON.stringify(name);
    if (hasValue) item.insertText = JSON.stringify(name);
    else {
      const lines = fields
        .filter(({ optional }) => optional !== true)
        .map((field, index) => `\t"${field.name}": ${snippetValue(field, index + 1)}`);
      item.insertText = new vscode.SnippetString(`"${name}": {\n${lines.join(',\n')}\n}`);
    }
    return item;
  });
}

function snippetValue({ sample }: Field, index: number): string {
  const inner = /^"(.*)"$/.exec(sample)?.[1];
  const escaped = (text: string): string => text.replace(/[$}\\]/g, '\\$&');
  return inner === undefined ? `\${${String(index)}:${escaped(sample)}}` : `"\${${String(index)}}"`;
}

function fieldItems(kind: string, location: Location, range: vscode.Range): vscode.CompletionItem[] {
  const hasValue = (location.previousNode?.colonOffset ?? -1) >= 0;
  return (kindOf(kind)?.fields ?? []).map((field) => {
    const item = new vscode.CompletionItem(field.name, vscode.CompletionItemKind.Property);
    item.detail = field.about;
    item.range = range;
    item.filterText = JSON.stringify(field.name);
    item.insertText = hasValue
      ? JSON.stringify(field.name)
      : new vscode.SnippetString(`"${field.name}": ${snippetValue(field, 1)}`);
    return item;
  });
}

/** Found by its name as well as by its id. */
function knownItem({ id, name, details }: Known, index: number, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem(
    { label: name === id ? id : name, description: id },
    vscode.CompletionItemKind.Value,
  );
  item.detail = details;
  item.range = range;
  item.insertText = JSON.stringify(id);
  item.filterText = JSON.stringify(`${name} ${id}`);
  item.sortText = String(index).padStart(4, '0');
  return item;
}
