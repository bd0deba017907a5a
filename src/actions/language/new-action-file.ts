import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ActionsContext } from '../context.ts';
import type { Session } from '../../model/session/session.ts';
import { readActionName } from '../../platform/resources/action-log-fields.ts';
import { isObject, type JsonObject } from '../../platform/json/json.ts';
import { actionKinds, getActionKind, formatSampleAction } from '../file/action-kinds.ts';
import { omitMasked } from '../file/omit-masked.ts';
import { createRestoring } from '../file/restore-state.ts';
import { formatLine } from '../../model/runs/run-record.ts';
import { escapeVariables } from '../../model/text/variables.ts';
import { requireSession } from '../../model/session/require-session.ts';
import { pickId } from './pick-id.ts';
import { escapeIcons } from '../../ui/escape-icons.ts';
import type { ResourceArgument } from '../../model/resources/resource-argument.ts';

/** The text of a new action file. */
interface NewAction {
  readonly text: string;
  /** of what it was created from */
  readonly connection?: string;
}

/** Creates the texts of action files for a kind of action, a resource, or an earlier run. */
export class ActionFileCreator {
  readonly #context: ActionsContext;

  constructor(context: ActionsContext) {
    this.#context = context;
  }

  /**
   * Prompts for a kind of action and its target. Resolves with `undefined` if cancelled. Rejects with PlatformError if
   * a template cannot be read.
   */
  async create(): Promise<NewAction | undefined> {
    const kind = (await this.#pickKind())?.label;
    if (kind === undefined) return undefined;
    const idField = getActionKind(kind)?.fields.find(({ ids }) => ids === 'templates' || ids === 'objects');
    const session = this.#context.services.sessions.active;
    if (idField?.ids === undefined || session === undefined) return { text: this.#format(kind, {}) };
    const none = l10n.t('None. Enter the ID in the file');
    const id = await pickId(this.#context, session, idField.ids, none);
    if (id === undefined) return undefined;
    const values =
      id === ''
        ? {}
        : kind === 'mint'
          ? getMintValues(id, await this.#readTemplate(session, id))
          : { [idField.name]: formatValue(id) };
    return { text: this.#format(kind, values), connection: session.profile.name };
  }

  /**
   * Creates an action from a resource or a run; `kind`: that of the action, which is prompted for without it. Rejects with
   * PlatformError if the resource cannot be read, and with Error for other arguments.
   */
  async createFrom(argument: unknown, kind?: string): Promise<NewAction | undefined> {
    const run = getRunId(argument);
    if (run !== undefined) {
      await this.#context.store.load();
      const record = this.#context.store.get(run);
      if (record === undefined) throw new Error(l10n.t('This run is no longer in the history'));
      return { text: record.source, connection: record.connection };
    }
    const resource = getResource(argument);
    if (resource === undefined) return this.create();
    const { connection } = resource;
    const session = requireSession(this.#context.services.sessions, connection);
    const state = isObject(argument) ? argument['state'] : undefined;
    const text =
      resource.kind === 'objects' && isObject(state)
        ? await this.#formatRestoring(session, resource.id, state)
        : await this.#formatFrom(session, resource, kind);
    return text === undefined ? undefined : { text, connection };
  }

  async #formatFrom(session: Session, resource: ResourceArgument, kind?: string): Promise<string | undefined> {
    if (resource.kind === 'templates') return this.#fromTemplate(session, resource.id, undefined, kind);
    if (resource.kind === 'objects') {
      const object = await this.#context.liveData.get(session).read('objects', resource.id);
      const template = object?.['template_id'];
      if (typeof template === 'string') return this.#fromTemplate(session, template, object ?? {}, kind);
      return this.#format(kind ?? 'update', { id: formatValue(resource.id) });
    }
    if (resource.kind === 'action-logs') return this.#fromLog(session, resource.id);
    throw new Error(l10n.t('Action files are created from templates, objects, action logs and runs'));
  }

  /** An update back to an earlier state, with a comment that names what an update does not restore. */
  async #formatRestoring(session: Session, id: string, state: JsonObject): Promise<string> {
    const present = (await this.#context.liveData.get(session).read('objects', id)) ?? {};
    const { data, left } = createRestoring(state, present);
    return this.#format('update', { id: formatValue(id), data: formatValue(data) }, [
      l10n.t('Restores metadata and custom data of an earlier state of the object.'),
      ...(left.length === 0 ? [] : [l10n.t('An update does not restore: {0}', formatNames(left))]),
    ]);
  }

  /** The text of a file with the values, which are JSON texts, and samples for the other fields; numbers to the digit. */
  #format(kind: string, values: Readonly<Record<string, string>>, comments?: readonly string[]): string {
    const action: unknown = JSON.parse(formatSampleAction(kind, values), (_name, value: unknown, { source }) =>
      typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
    );
    const fields = isObject(action) ? action[kind] : undefined;
    return this.#formatFields(kind, isObject(fields) ? fields : {}, comments);
  }

  /** The text of a file without masked values, whose fields a comment names. */
  #formatFields(kind: string, all: JsonObject, comments: readonly string[] = []): string {
    const { fields, omitted } = omitMasked(all, (text) => this.#context.services.redact(text));
    const left = l10n.t('Left out, since their values are hidden: {0}', formatNames(omitted));
    const lines = [...comments, ...(omitted.length === 0 ? [] : [left])].map((line) => `// ${line}\n`);
    return `${lines.join('')}${JSON.stringify({ action: { [kind]: fields } }, null, 2)}\n`;
  }

  /** The action of a log, as far as the log shows it. */
  async #fromLog(session: Session, id: string): Promise<string | undefined> {
    const { raw } = (await session.client.read('action-logs', [id])).item;
    const log = isObject(raw) ? raw : {};
    // The contract shows an array with one item; newer deployments send an object.
    const params: unknown = log['params'];
    const fields = escapeVariables(Array.isArray(params) && params.length === 1 ? params[0] : params);
    const kind = readActionName(log) ?? (await this.#pickKind())?.label;
    if (kind === undefined) return undefined;
    if (isObject(fields)) return this.#formatFields(kind, fields);
    const list: unknown = log['affected_objects'];
    const object: unknown = Array.isArray(list) ? list[0] : undefined;
    return this.#format(kind, isObject(object) ? { id: formatValue(object['id']) } : {});
  }

  /**
   * Creates an action that takes the ids of resources of a kind from the rows of a batch; `kind`: that of the action, which is
   * prompted for without it. Resolves with `undefined` if cancelled. Rejects with Error if the action is not known for them.
   */
  async createForRows(resourceKind: string, kind?: string): Promise<string | undefined> {
    const choices = actionKinds.flatMap(({ name, about, fields }) => {
      const field = fields.find(({ ids, optional }) => ids === resourceKind && optional !== true);
      return field === undefined || (kind ?? name) !== name
        ? []
        : [{ label: name, description: about, field: field.name }];
    });
    if (choices.length === 0)
      throw new Error(l10n.t('There is no known action for these resources. Select an action file instead'));
    const chosen =
      kind === undefined
        ? await this.#context.services.ui.pick(choices, { title: formatKindTitle(), matchOnDescription: true })
        : choices[0];
    return chosen && this.#format(chosen.label, { [chosen.field]: JSON.stringify('${row:id}') });
  }

  #pickKind(): Promise<vscode.QuickPickItem | undefined> {
    return this.#context.services.ui.pick(
      actionKinds.map(({ name, about }) => ({ label: name, description: about })),
      { title: formatKindTitle(), matchOnDescription: true },
    );
  }

  /** The template, or undefined if it cannot be read: the file is then made without its data. */
  #readTemplate(session: Session, id: string): Promise<JsonObject | undefined> {
    return this.#context.liveData
      .get(session)
      .read('templates', id)
      .catch(() => undefined);
  }

  async #fromTemplate(
    session: Session,
    id: string,
    object: JsonObject | undefined,
    kind?: string,
  ): Promise<string | undefined> {
    const template = await this.#readTemplate(session, id);
    const format = (name: string): string =>
      this.#format(name, object === undefined ? getMintValues(id, template) : getObjectValues(name, object));
    if (kind !== undefined) return format(kind);
    const choices = listTemplateActions(template, object !== undefined).map(({ name, alias }) => ({
      label: escapeIcons(formatLine(alias ?? name, 80)),
      description: [alias === undefined ? '' : escapeIcons(name), getActionKind(name)?.about ?? '']
        .filter((part) => part !== '')
        .join(' · '),
      name,
    }));
    const [only] = choices;
    if (only === undefined)
      throw new Error(
        object === undefined
          ? l10n.t('This template has no action that creates objects')
          : l10n.t('This template has no action for its objects'),
      );
    const name: unknown = template?.['name'];
    const title =
      typeof name === 'string' ? l10n.t('Select an action of {0}', formatLine(name, 60)) : l10n.t('Select an action');
    const chosen = choices.length === 1 ? only : await this.#context.services.ui.pick(choices, { title });
    return chosen && format(chosen.name);
  }
}

/** The actions of a template that are for objects, or that create them; all kinds if the template lists none. */
export function listTemplateActions(
  template: JsonObject | undefined,
  isForObject: boolean,
): readonly { readonly name: string; readonly alias: string | undefined }[] {
  const list: unknown = template?.['actions'];
  const listed = (Array.isArray(list) ? list : []).filter(isObject).flatMap((action) => {
    const name = action['name'];
    const alias = action['alias'];
    return typeof name === 'string' ? [{ name, alias: typeof alias === 'string' ? alias : undefined }] : [];
  });
  if (listed.length === 0) return actionKinds.map(({ name }) => ({ name, alias: undefined }));
  return listed.filter(({ name }) => (name === 'mint') === !isForObject);
}

function formatKindTitle(): string {
  return l10n.t('Select a kind of action');
}

function getMintValues(id: string, template: JsonObject | undefined): Readonly<Record<string, string>> {
  const pattern = isObject(template?.['object']) ? template['object'] : {};
  const custom = isObject(pattern['custom']) ? pattern['custom'] : {};
  return {
    template_id: formatValue(id),
    ...(Object.keys(custom).length > 0 && { data: formatValue({ metadata: {}, custom }) }),
  };
}

function getObjectValues(kind: string, object: JsonObject): Readonly<Record<string, string>> {
  const { id, custom, location } = object;
  const place = isObject(location) ? location : {};
  return {
    id: formatValue(id),
    ...(kind === 'update' && { data: formatValue({ metadata: {}, custom: isObject(custom) ? custom : {} }) }),
    ...(kind === 'drop' &&
      typeof place['latitude'] === 'number' &&
      typeof place['longitude'] === 'number' && {
        latitude: String(place['latitude']),
        longitude: String(place['longitude']),
      }),
  };
}

/** The JSON of a value of the platform. */
function formatValue(value: unknown): string {
  return JSON.stringify(escapeVariables(value));
}

/** The first names of a list, for a comment. */
function formatNames(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => formatLine(name, 80))
    .join(', ');
}

/** The URI of a new action file, `NAME-1.action.json` if a folder is open. Never rejects. */
export async function createNewUri(name = 'action'): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // Without a folder the file has no path, to which VS Code would save without a prompt.
  if (folder === undefined) return (await vscode.workspace.openTextDocument({ language: 'jsonc' })).uri;
  return findFreeUri(folder, name);
}

/** Fills a new document, also one that VS Code opened with the text of a document that was just closed. Never rejects. */
export async function fillDocument(uri: vscode.Uri, content: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  // All of it: VS Code ends a range where the text ends.
  edit.replace(uri, new vscode.Range(0, 0, 1_000_000, 0), content);
  await vscode.workspace.applyEdit(edit);
}

/** Shows an unsaved action file at the first value to fill in. Never rejects. */
export async function openNewFile(content: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(await createNewUri());
  await fillDocument(document.uri, content);
  const editor = await vscode.window.showTextDocument(document);
  const empty = document.getText().indexOf('""');
  if (empty >= 0) {
    const place = document.positionAt(empty + 1);
    editor.selection = new vscode.Selection(place, place);
    await vscode.commands.executeCommand('editor.action.triggerSuggest');
  }
  return document;
}

/** A name with the suffix of action files, so that checks and completions work before it is saved. */
async function findFreeUri(folder: vscode.Uri, name: string): Promise<vscode.Uri> {
  const openPaths = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(folder, `${name}-${String(number)}.action.json`);
    if (!openPaths.has(uri.path) && !(await fileExists(uri))) return uri.with({ scheme: 'untitled' });
  }
}

async function fileExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function getRunId(argument: unknown): string | undefined {
  const run: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'run') : undefined;
  return typeof run === 'string' ? run : undefined;
}

function getResource(argument: unknown): ResourceArgument | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const inner: unknown = Reflect.get(argument, 'resource');
  if (typeof inner === 'object' && inner !== null) return getResource(inner);
  const [connection, kind, id] = ['connection', 'kind', 'id'].map((name): unknown => Reflect.get(argument, name));
  if (typeof connection !== 'string' || typeof kind !== 'string' || typeof id !== 'string') return undefined;
  return { connection, kind, id };
}
