/** Documents in real VS Code: exact text of each kind, masking, links, hovers, and notices about their age. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ConnectionSession } from '../../../src/connections/session/connection-session.ts';
import { MASK, NO_SECRETS } from '../../../src/platform/json/secrets.ts';
import { formatJson, getJsonSlice } from '../../../src/platform/json/format-json.ts';
import { kinds, registry } from '../../../src/platform/registry.ts';
import type { ResourceDefinition } from '../../../src/platform/resource.ts';
import { toPlainText } from '../../../src/platform/text/plain-text.ts';
import { getTestHooks, waitUntil } from '../support/connections.ts';
import {
  connect,
  CONNECTION,
  eventually,
  hoverText,
  findLink,
  getAnyResource,
  onSandbox,
  open,
  toUri,
} from '../support/documents.ts';
import { ask, clearFaults, fault, listRequests } from '../support/sandbox.ts';

const getProblems = (uri: vscode.Uri, code: string): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter((problem) => problem.code === code);

suite('documents', () => {
  onSandbox();

  test('the title of a tab is the name and kind, whatever opened it, and follows a new name', async () => {
    const template = await getAnyResource('templates');
    const uri = toUri('templates', template.id);
    const raw: unknown = JSON.parse(await getRaw(registry.templates, template.id));
    const name = toPlainText(registry.templates.summary(raw).title, 60);
    const waitForTitle = (title: string): Promise<void> =>
      waitUntil(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label === title, title);
    await vscode.commands.executeCommand('smartObjects.openResource', template);
    await waitForTitle(`${name} (template)`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // As a link does.
    await vscode.commands.executeCommand('vscode.open', uri);
    await waitForTitle(`${name} (template)`);
    fault({ route: 'GET /templates/{templateId}', fault: 'unknownField', field: 'name', value: 'Gold card' });
    await vscode.commands.executeCommand('smartObjects.refreshDocument', uri);
    await waitForTitle('Gold card (template)');
  });

  for (const kind of kinds.filter((name) => name !== 'wallets')) {
    const definition: ResourceDefinition = registry[kind];

    test(`${definition.label}: opens as the server’s JSON, read-only, and its links open the referenced resources`, async () => {
      const resource = await getAnyResource(kind);
      const document = await open(resource);
      assert.equal(document.languageId, 'json');
      const expected = formatJson(await getRaw(definition, resource.id), {
        ...NO_SECRETS,
        names: definition.secretNames ?? [],
      });
      assert.equal(document.getText(), expected);
      const stat = await vscode.workspace.fs.stat(document.uri);
      assert.equal(stat.size, Buffer.byteLength(expected));
      assert.equal(stat.permissions, vscode.FilePermission.Readonly);
      await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array()));
      for (const [path, of] of Object.entries(definition.references)) {
        const id = stringAt(JSON.parse(document.getText()), path);
        if (id === undefined || of === 'wallets') continue;
        const target = of === 'organizations' ? toUri('roles', `${id}/myrole`) : toUri(of, id);
        assert.equal((await findLink(document, `"${id}"`))?.target?.toString(), target.toString(), path);
      }
    });

    test(`${definition.label}: a failed refresh keeps the text and shows since when; the next one clears it`, async () => {
      const resource = await getAnyResource(kind);
      const document = await open(resource);
      const { uri } = document;
      await vscode.window.showTextDocument(document);
      const before = document.getText();
      fault({ fault: 'serverError', count: null, message: 'on purpose' });
      await vscode.commands.executeCommand('smartObjects.refreshDocument', uri);
      const [old] = await eventually(() => nonEmpty(getProblems(uri, 'old')));
      assert.ok(old);
      assert.match(old.message, /Refresh has failed since .* Last updated .*on purpose/s);
      assert.equal(document.getText(), before);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
      assert.match(lenses[0]?.command?.title ?? '', /Refresh has failed since .*Retry/);
      assert.match((await getTestHooks()).ui.readMessages('error').at(-1) ?? '', /on purpose/);
      clearFaults();
      await vscode.commands.executeCommand('smartObjects.refreshDocument', uri);
      await eventually(() => (getProblems(uri, 'old').length === 0 ? true : undefined));
      assert.equal(document.getText(), before);
    });
  }

  test('the value of an API key is masked, with a note', async () => {
    const document = await open(await getAnyResource('api-keys'));
    const key: unknown = Reflect.get(JSON.parse(document.getText()) as object, 'key');
    assert.equal(key, MASK);
    const at = document.positionAt(document.getText().indexOf(MASK) + 1);
    assert.match(await hoverText(document.uri, at), /secret/);
  });

  test('a document is updated in place when its resource changes', async () => {
    const resource = await getAnyResource('objects');
    const document = await open(resource);
    await vscode.window.showTextDocument(document);
    fault({ route: 'GET /objects/{objectId}', fault: 'unknownField', field: 'custom.brand_new', value: 'there' });
    await vscode.commands.executeCommand('smartObjects.refreshDocument');
    await eventually(() => (document.getText().includes('brand_new') ? true : undefined));
    assert.equal(document.isDirty, false);
  });

  test('Refresh reads the given document again', async () => {
    const document = await open(await getAnyResource('templates'));
    await vscode.window.showTextDocument(document);
    fault({ route: 'GET /templates/{templateId}', fault: 'unknownField', field: 'brand_new', value: 'there' });
    await vscode.commands.executeCommand('smartObjects.refresh', document.uri);
    await eventually(() => (document.getText().includes('brand_new') ? true : undefined));
  });

  test('a wallet opens from the response to its registration', async () => {
    const session = (await (await getTestHooks()).services()).sessions.get(CONNECTION);
    assert.ok(session instanceof Object && 'addIssuedResource' in session);
    // As registering a wallet does with the response.
    (session as unknown as ConnectionSession).addIssuedResource('wallets/wal_held', {
      text: '{\n  "id": "wal_held"\n}\n',
      raw: { id: 'wal_held' },
    });
    const document = await open({ connection: CONNECTION, kind: 'wallets', id: 'wal_held' });
    assert.equal(document.getText(), '{\n  "id": "wal_held"\n}\n');
    assert.ok((await eventually(() => nonEmpty(getProblems(document.uri, 'drift')))).length > 3);
  });

  test('drift from the contract is information at the field', async () => {
    const document = await open(await getAnyResource('objects'));
    await vscode.window.showTextDocument(document);
    fault({ route: 'GET /objects/{objectId}', fault: 'wrongType', field: 'version', value: 'seven' });
    await vscode.commands.executeCommand('smartObjects.refreshDocument');
    const [drift] = await eventually(() => nonEmpty(getProblems(document.uri, 'drift')));
    assert.ok(drift);
    assert.equal(drift.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(document.getText(drift.range), '"seven"');
    assert.match(drift.message, /^version: .*integer/);
  });

  test('folds, and has an outline of its fields', async () => {
    const { uri } = await open(await getAnyResource('objects'));
    const symbols = await eventually(async () =>
      nonEmpty(
        (await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
          'vscode.executeDocumentSymbolProvider',
          uri,
        )) ?? [],
      ),
    );
    assert.ok(['id', 'template_id', 'metadata'].every((field) => symbols.some(({ name }) => name === field)));
    const folds = await eventually(async () =>
      nonEmpty(
        (await vscode.commands.executeCommand<vscode.FoldingRange[] | undefined>(
          'vscode.executeFoldingRangeProvider',
          uri,
        )) ?? [],
      ),
    );
    assert.ok(folds.some(({ start }) => start === 0));
  });

  test('a hash is a link of the connection’s template, except one of zeros', async () => {
    await connect(CONNECTION, { links: { transaction: 'https://scan.example/tx/{hash}' } });
    const resource = await getAnyResource('batches');
    const hashLink = async (): Promise<string | undefined> => {
      const document = await open(resource);
      const { l1_tx_hash: hash } = JSON.parse(document.getText()) as { readonly l1_tx_hash: string };
      return (await findLink(document, `"${hash}"`))?.target?.toString();
    };
    assert.match((await hashLink()) ?? '', /^https:\/\/scan\.example\/tx\/0x/);
    const zeros = `0x${'0'.repeat(64)}`;
    fault({ fault: 'unknownField', field: 'l1_tx_hash', value: zeros, count: null });
    assert.equal(await hashLink(), undefined);
    assert.ok((await open(resource)).getText().includes(zeros), 'the fault did not hit');
    clearFaults();
    await connect();
  });

  test('hovers on ids and times show known facts, without a request to the API', async () => {
    // The thumbnail of a known template may be requested from the platform's files.
    const toApi = (): number => listRequests().filter(({ path }) => !path.includes('/files/')).length;
    const resource = await getAnyResource('objects');
    const document = await open(resource);
    const object = JSON.parse(document.getText()) as { readonly template_id: string; readonly when_created: string };
    const template = await open({ connection: CONNECTION, kind: 'templates', id: object.template_id });
    const { name } = JSON.parse(template.getText()) as { readonly name: string };
    const before = toApi();
    const hover = await hoverText(document.uri, getPosition(document, `"${object.template_id}"`));
    assert.ok(hover.includes(name.split(' ')[0] ?? ''), hover);
    assert.match(hover, /command:smartObjects\.openResource\?/);
    assert.match(hover, /command:smartObjects\.copyId\?/);
    assert.match(hover, /command:smartObjects\.filterByThis\?/);
    const moment = await hoverText(document.uri, getPosition(document, `"${object.when_created}"`));
    assert.match(moment, /\d{4}.*\d\d:\d\d:\d\d/);
    assert.equal(toApi(), before);
  });

  test('a document that cannot be opened shows the reason', async () => {
    const reason = async (uri: vscode.Uri): Promise<string> => {
      const { ui } = await getTestHooks();
      ui.reset();
      await vscode.commands.executeCommand('smartObjects.openResource', uri);
      return [...ui.readMessages('error'), ...ui.readMessages('warn')].at(-1) ?? assert.fail('it opened');
    };
    assert.match(await reason(toUri('objects', 'obj_nowhere')), /Not found|404/i);
    assert.match(await reason(toUri('faces', 'fac_nowhere')), /No resource with this ID is visible .*\(face\)/);
    assert.match(await reason(toUri('wallets', 'wal_1')), /can’t read wallets by their ID/);
    assert.match(await reason(toUri('objects', 'obj_1', 'Nobody')), /The connection “Nobody” does not exist/);
    await assert.rejects(
      async () => vscode.workspace.openTextDocument(vscode.Uri.parse('smartobject:/x/nonsense/y.json')),
      /Invalid resource address/,
    );
    await (await getTestHooks()).signOut(CONNECTION);
    assert.match(await reason(toUri('objects', 'obj_1')), /Not signed in/);
    await connect();
  });

  test('a file that names a document as its schema sends no request; a tab does', async () => {
    // A document that no other test opens.
    const { templates } = JSON.parse(await ask('/public/templates?limit=9')) as {
      templates: readonly { id: string }[];
    };
    const id = templates.at(-1)?.id ?? assert.fail('no template');
    const uri = toUri('templates', id);
    const reads = (): number => listRequests().filter(({ path: of }) => of.endsWith(id)).length;
    const before = reads();
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'soe-schema-'));
    const file = path.join(folder, 'cloned.json');
    await fs.writeFile(file, JSON.stringify({ $schema: uri.toString(), name: 'x' }));
    try {
      const cloned = vscode.Uri.file(file);
      await vscode.window.showTextDocument(cloned);
      // The JSON language service reports a missing schema, so it has requested it.
      await eventually(() =>
        nonEmpty(vscode.languages.getDiagnostics(cloned).filter(({ message }) => message.includes('smartobject:'))),
      );
      await assert.rejects(async () => vscode.workspace.openTextDocument(uri), /can only be opened in editors/);
      assert.equal(reads(), before);

      await vscode.commands.executeCommand('vscode.open', uri);
      await eventually(() => (front()?.toString() === uri.toString() ? true : undefined));
      assert.equal(reads(), before + 1);
      assert.ok(vscode.window.activeTextEditor?.document.getText().includes(id));
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await fs.rm(folder, { recursive: true });
    }
  });

  test('signing out marks an open document as stale', async () => {
    const document = await open(await getAnyResource('faces'));
    const before = document.getText();
    await (await getTestHooks()).signOut(CONNECTION);
    const [old] = await eventually(() => nonEmpty(getProblems(document.uri, 'old')));
    assert.match(old?.message ?? '', /has ended\. Last updated/);
    assert.equal(document.getText(), before);
    await connect();
  });

  test('Open Resource by ID requests every kind, opens the match, and adds it to the recent ones', async () => {
    const h = await getTestHooks();
    for (const kind of ['batches', 'faces', 'api-keys', 'objects'] as const) {
      const { id } = await getAnyResource(kind);
      h.ui.answer('pick', id);
      await vscode.commands.executeCommand('smartObjects.openResource');
      await eventually(() => (front()?.toString() === toUri(kind, id).toString() ? true : undefined));
    }
    h.ui.answer('pick', 'obj_nowhere');
    await vscode.commands.executeCommand('smartObjects.openResource');
    assert.match(h.ui.readMessages('warn').at(-1) ?? '', /No resource with the ID obj_nowhere/);
    const pick = h.ui.messages.findLast(({ kind }) => kind === 'pick');
    assert.ok((pick?.choices.length ?? 0) >= 4);
  });

  test('Copy ID copies the id of the active document', async () => {
    const { id } = await getAnyResource('templates');
    await vscode.window.showTextDocument(await open({ connection: CONNECTION, kind: 'templates', id }));
    await vscode.commands.executeCommand('smartObjects.copyId');
    assert.equal(await vscode.env.clipboard.readText(), id);
  });
});

function front(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function getPosition(document: vscode.TextDocument, text: string): vscode.Position {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, text);
  return document.positionAt(at + 2);
}

/** The server's text of a resource, requested without the extension. */
async function getRaw(definition: ResourceDefinition, id: string): Promise<string> {
  if (definition.read.by === 'path') {
    const segments = id.split('/');
    const last = segments.at(-1) ?? '';
    const { path } = definition.read.variants?.[last]?.operation ?? definition.read.operation;
    const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(segments.shift() ?? ''));
    return ask(filled);
  }
  assert.ok(definition.list);
  const query = definition.read.by === 'filter' ? `id=${encodeURIComponent(id)}` : 'limit=100';
  const fullText = await ask(`${definition.list.operation.path}?${query}`);
  const items = (JSON.parse(fullText) as Record<string, readonly { readonly id: string }[]>)[definition.list.key] ?? [];
  const slice = getJsonSlice(fullText, [definition.list.key, items.findIndex((item) => item.id === id)]);
  assert.ok(slice !== undefined);
  return slice;
}

function stringAt(value: unknown, path: string): string | undefined {
  let at: unknown = value;
  for (const step of path.split('.').flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), 0] : [part])))
    at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
  return typeof at === 'string' ? at : undefined;
}
