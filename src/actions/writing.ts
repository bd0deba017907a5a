/** New action files, filled with what is known: from a template, an object, a run, or from nothing. */
import * as vscode from 'vscode';
import type { Services } from '../commands/entry.ts';
import type { Session } from '../connections/types.ts';
import { isObject, type JsonObject } from '../platform/json.ts';
import { errorText } from '../ui/error-text.ts';
import { sampleAction } from './check.ts';
import { actionKinds, kindOf } from './kinds.ts';
import type { LiveSessions } from './live.ts';
import { lineOf } from './record.ts';
import type { RunStore } from './store.ts';

/** What an action file can be made from, as a command hands it over. */
interface Given {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
}

/** Without an id: a way to a list that could not be shown. */
interface Choice extends vscode.QuickPickItem {
  readonly id?: string;
}

export class Writing {
  readonly #services: Services;
  readonly #live: LiveSessions;
  readonly #store: RunStore;

  constructor(services: Services, live: LiveSessions, store: RunStore) {
    this.#services = services;
    this.#live = live;
    this.#store = store;
  }

  /** Asks for a kind of action and what it is about. */
  async fresh(): Promise<vscode.TextDocument | undefined> {
    const { sessions, ui } = this.#services;
    const kind = (await this.#kind())?.label;
    if (kind === undefined) return undefined;
    const wants = kindOf(kind)?.fields.find(({ ids }) => ids === 'templates' || ids === 'objects');
    const ids = wants?.ids === 'templates' ? wants.ids : 'objects';
    if (wants === undefined) return show(textOf(kind, {}));
    for (;;) {
      const session = sessions.active;
      if (session === undefined) return show(textOf(kind, {}));
      const chosen = await ui.pickOrType<Choice>(this.#choices(session, ids), {
        title: `Which ${ids === 'templates' ? 'template' : 'object'} of ${session.heading}?`,
        placeHolder: 'Choose one, or type an ID',
        typed: (text) => `Use ID ${text}`,
      });
      if (chosen === undefined) return undefined;
      const id = typeof chosen === 'string' ? chosen : chosen.id;
      if (id !== undefined) return show(textOf(kind, id === '' ? {} : { [wants.name]: JSON.stringify(id) }));
      // The list again, with another session or for another try.
      if (session.signedOutBecause !== undefined)
        await vscode.commands.executeCommand('smartObjects.signIn', session.profile.name);
    }
  }

  /** What is known, or why nothing is. */
  async #choices(session: Session, ids: 'templates' | 'objects'): Promise<readonly Choice[]> {
    const byHand: Choice = { label: 'None of these, fill it in by hand', alwaysShow: true, id: '' };
    const { signedOutBecause } = session;
    if (signedOutBecause !== undefined)
      return [byHand, { label: 'Sign In…', detail: signedOutBecause, alwaysShow: true }];
    try {
      const known = await this.#live.of(session).list(ids);
      const none = { label: `There are no ${ids} on ${session.profile.name}`, alwaysShow: true, id: '' };
      return [
        byHand,
        ...(known.length === 0 ? [none] : []),
        ...known.map(({ id, name, details }) => ({ label: name, description: id, detail: details, id })),
      ];
    } catch (error) {
      return [byHand, { label: 'Try Again', detail: errorText(`Read ${ids}`, error), alwaysShow: true }];
    }
  }

  /** From a resource, or a run. */
  async from(argument: unknown): Promise<vscode.TextDocument | undefined> {
    const run = runOf(argument);
    if (run !== undefined) {
      await this.#store.load();
      const kept = this.#store.get(run);
      if (kept === undefined) throw new Error('This run is not kept any more');
      return show(kept.source);
    }
    const given = givenOf(argument);
    if (given === undefined) return this.fresh();
    const session = this.#services.sessions.get(given.connection);
    if (session === undefined) throw new Error(`The connection ${given.connection} is not there any more`);
    if (given.kind === 'templates') return this.#fromTemplate(session, given.id, undefined);
    if (given.kind === 'objects') {
      const object = await this.#live.of(session).read('objects', given.id);
      const template = object?.['template_id'];
      if (typeof template === 'string') return this.#fromTemplate(session, template, object ?? {});
      return show(textOf('update', { id: JSON.stringify(given.id) }));
    }
    if (given.kind === 'action-logs') return this.#fromLog(session, given.id);
    throw new Error('An action file is made from a template, an object, an action log or a run');
  }

  /** The same action again, as far as the log tells it. */
  async #fromLog(session: Session, id: string): Promise<vscode.TextDocument | undefined> {
    const { raw } = (await session.client.read('action-logs', [id])).item;
    const log = isObject(raw) ? raw : {};
    const name = log['action_name'] ?? log['name'];
    // A list of one in the contract, an object in newer deployments.
    const given: unknown = log['params'];
    const fields: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const kind = typeof name === 'string' ? name : (await this.#kind())?.label;
    if (kind === undefined) return undefined;
    if (isObject(fields)) return show(`${JSON.stringify({ action: { [kind]: fields } }, null, 2)}\n`);
    const list: unknown = log['affected_objects'];
    const object: unknown = Array.isArray(list) ? list[0] : undefined;
    return show(textOf(kind, isObject(object) ? { id: JSON.stringify(object['id']) } : {}));
  }

  #kind(): Promise<vscode.QuickPickItem | undefined> {
    return this.#services.ui.pick(
      actionKinds.map(({ name, about }) => ({ label: name, description: about })),
      { title: 'What kind of action?', matchOnDescription: true },
    );
  }

  async #fromTemplate(
    session: Session,
    id: string,
    object: JsonObject | undefined,
  ): Promise<vscode.TextDocument | undefined> {
    const template = await this.#live
      .of(session)
      .read('templates', id)
      .catch(() => undefined);
    const list: unknown = template?.['actions'];
    const listed = (Array.isArray(list) ? list : []).filter(isObject).flatMap((action) => {
      const name = action['name'];
      const alias = action['alias'];
      return typeof name === 'string' ? [{ name, alias: typeof alias === 'string' ? alias : undefined }] : [];
    });
    const all = listed.length > 0 ? listed : actionKinds.map(({ name }) => ({ name, alias: undefined }));
    const choices = all
      .filter(({ name }) => (name === 'mint') === (object === undefined) || listed.length === 0)
      .map(({ name, alias }) => ({
        label: lineOf(alias ?? name, 80),
        description: [alias === undefined ? '' : name, kindOf(name)?.about ?? '']
          .filter((part) => part !== '')
          .join(' · '),
        name,
      }));
    const [only] = choices;
    if (only === undefined)
      throw new Error(`This template lists no action ${object === undefined ? 'to start from it' : 'on its objects'}`);
    const title = `Which action of ${lineOf(typeof template?.['name'] === 'string' ? template['name'] : 'the template', 60)}?`;
    const chosen = choices.length === 1 ? only : await this.#services.ui.pick(choices, { title });
    if (chosen === undefined) return undefined;
    return show(
      textOf(chosen.name, object === undefined ? mintValues(id, template) : objectValues(chosen.name, object)),
    );
  }
}

function mintValues(id: string, template: JsonObject | undefined): Readonly<Record<string, string>> {
  const pattern = isObject(template?.['object']) ? template['object'] : {};
  const custom = isObject(pattern['custom']) ? pattern['custom'] : {};
  return {
    template_id: JSON.stringify(id),
    ...(Object.keys(custom).length > 0 && { data: JSON.stringify({ metadata: {}, custom }) }),
  };
}

function objectValues(kind: string, object: JsonObject): Readonly<Record<string, string>> {
  const { id, custom, location } = object;
  const place = isObject(location) ? location : {};
  return {
    id: JSON.stringify(id),
    ...(kind === 'update' && { data: JSON.stringify({ metadata: {}, custom: isObject(custom) ? custom : {} }) }),
    ...(kind === 'drop' &&
      typeof place['latitude'] === 'number' &&
      typeof place['longitude'] === 'number' && {
        latitude: String(place['latitude']),
        longitude: String(place['longitude']),
      }),
  };
}

/** A whole file, numbers to the digit. */
function textOf(kind: string, values: Readonly<Record<string, string>>): string {
  const action = sampleAction(kind, values);
  const parsed: unknown = JSON.parse(`{"action": ${action}}`, (_name, value: unknown, { source }) =>
    typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value,
  );
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

async function show(content: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // Without a folder it has no path either, which VS Code would write to unasked.
  const document = await (folder === undefined
    ? vscode.workspace.openTextDocument({ language: 'jsonc', content })
    : vscode.workspace.openTextDocument(await freeIn(folder)));
  const editor = await vscode.window.showTextDocument(document);
  if (folder !== undefined)
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(0, 0), content);
    });
  // At the first value that is still empty.
  const empty = document.getText().indexOf('""');
  if (empty >= 0) {
    const place = document.positionAt(empty + 1);
    editor.selection = new vscode.Selection(place, place);
  }
  return document;
}

/** A name ending as action files do, so that checks and completions are at hand before it is saved. */
async function freeIn(folder: vscode.Uri): Promise<vscode.Uri> {
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(folder, `action-${String(number)}.action.json`);
    if (!taken.has(uri.path) && !(await exists(uri))) return uri.with({ scheme: 'untitled' });
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function runOf(argument: unknown): string | undefined {
  const run: unknown = typeof argument === 'object' && argument !== null ? Reflect.get(argument, 'run') : undefined;
  return typeof run === 'string' ? run : undefined;
}

function givenOf(argument: unknown): Given | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const inner: unknown = Reflect.get(argument, 'resource');
  if (typeof inner === 'object' && inner !== null) return givenOf(inner);
  const [connection, kind, id] = ['connection', 'kind', 'id'].map((name): unknown => Reflect.get(argument, name));
  if (typeof connection !== 'string' || typeof kind !== 'string' || typeof id !== 'string') return undefined;
  return { connection, kind, id };
}
