/** Previews against the sandbox: what would be sent, what is predicted, and that nothing is sent. */
import assert from 'node:assert/strict';
import { objects } from '../../../../src/platform/resources/objects.ts';
import type { Label } from '../../../../src/model/text/labels.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { LiveData } from '../../../../src/actions/language/live-data.ts';
import { formatPreview } from '../../../../src/actions/preview/format-preview.ts';
import {
  composePreview,
  createPreview,
  type Preview,
  type PreviewSession,
} from '../../../../src/actions/preview/preview.ts';
import { parseSource } from '../../../../src/actions/run/prepare.ts';
import type { VariableSource } from '../../../../src/actions/variables/variable-source.ts';
import { UntrustedWorkspaceError } from '../../../../src/model/command-errors.ts';
import { useDisplayLanguage } from '../../../support/display-languages.ts';
import { createTestProfile } from '../../../support/platform-client.ts';
import { makeRig, readIds, runText, type Rig } from '../support.ts';

const SECRET = 'canary-7f3e9a1c-secret';
const never = new AbortController().signal;

const reject = (name: string): Promise<never> => Promise.reject(new Error(`No value for ${name}`));
const variables: VariableSource = {
  row: (column) => {
    throw new Error(`\${row:${column}} is a column of data`);
  },
  input: (name) => (name === 'to' ? Promise.resolve('0xreceiver') : reject(name)),
  env: () => Promise.resolve(SECRET),
  secret: () => Promise.resolve('short'),
  file: () => Promise.resolve(`content with ${SECRET}`),
  run: () => 3,
};

suite('preview of a request', () => {
  let rig: Rig;
  let ids: Awaited<ReturnType<typeof readIds>>;
  suiteSetup(async () => {
    rig = await makeRig();
    ids = await readIds(rig);
  });
  suiteTeardown(() => rig.close());
  teardown(() => {
    rig.sandbox.faults.clear();
  });

  interface Options {
    readonly signedOut?: boolean;
    readonly granted?: boolean;
    readonly signer?: readonly string[];
    readonly label?: Label;
  }

  const createTarget = ({ signedOut, granted, label }: Options): { session: PreviewSession; live: LiveData } => {
    const session: PreviewSession = {
      profile: createTestProfile(rig.sandbox.baseUrl),
      client: rig.client,
      credentialKinds: new Set(['apiKey']),
      signedOutReason: signedOut === true ? 'Signed out' : undefined,
    };
    const live = new LiveData(
      {
        profile: session.profile,
        client: rig.client,
        ended: never,
        identity: undefined,
        issuedResources: new Map(),
        hasPermission: () => granted,
      },
      { all: label === undefined ? [] : [label], get: (value) => (value === label?.value ? label : undefined) },
    );
    return { session, live };
  };

  const preview = async (request: unknown, options: Options = {}): Promise<Preview> => {
    const prepared = parseSource({ name: 'test', text: JSON.stringify(request) });
    assert.ok('file' in prepared);
    const target = createTarget(options);
    return createPreview(prepared, { variables, getSigner: () => options.signer, secrets: [SECRET], target }, never);
  };

  test('the body has its variables filled in, secrets are masked everywhere, what has no value is named', async () => {
    const result = await preview({
      action: {
        mint: {
          template_id: ids.template('Concert'),
          num: '${run:first.count}',
          to: '${input:to}',
          data: { custom: { a: '${env:KEY}', b: '${secret:pin}', c: '${file:a.txt}', d: '${input:other}', e: SECRET } },
        },
      },
    });
    const { mint } = (JSON.parse(result.body) as { action: { mint: Record<string, unknown> } }).action;
    assert.deepEqual([mint['num'], mint['to']], [3, '0xreceiver']);
    assert.deepEqual(mint['data'], {
      custom: { a: '••••', b: '••••', c: 'content with ••••', d: '${input:other}', e: '••••' },
    });
    assert.deepEqual(result.notes, ['No value for other']);
    assert.deepEqual(result.problems, []);
    assert.match(result.curl ?? '', /"to":"0xreceiver".*"a":"••••"/s);
    const all = JSON.stringify(result) + formatPreview(result);
    assert.ok(!all.includes(SECRET) && !all.includes('short'), all);
  });

  test('a mint: effect, rules and supply of the template, and the fees of recent mints', async () => {
    const limited = await preview({ action: { mint: { template_id: ids.template('Backstage'), num: 50 } } });
    assert.match(limited.effect, /^Mints 50 objects from template “Backstage/);
    const rules = limited.prediction?.template?.rules ?? [];
    assert.ok(rules.includes('mint is restricted to wallets on the whitelist'));
    assert.ok(rules.some((rule) => /^3 of \d+ are left$/.test(rule)));
    assert.ok(limited.problems.some(({ message }) => message.startsWith('Remaining supply of “Backstage')));
    const action = { mint: { template_id: ids.template('Concert'), num: 1 } };
    const { run } = await runText(rig, JSON.stringify({ action }));
    assert.equal(run.outcome, 'completed');
    const { fee } = JSON.parse(run.log ?? '{}') as { fee: string };
    const range = (await preview({ action })).prediction?.fee ?? '';
    assert.match(range, / of this template$/);
    const [low, high = low] = (range.match(/\d+\.\d+/g) ?? []).map(Number);
    // Fees are rounded to four digits.
    const rounded = Number(Number(fee).toPrecision(4));
    assert.ok(low !== undefined && high !== undefined && low <= rounded && rounded <= high, `${fee}: ${range}`);
  });

  test('objects are shown as they are now, and one that is not there is called so', async () => {
    const id = ids.object('Jacket');
    const { raw } = (await rig.client.read('objects', [id])).item;
    const { owner, template_id: templateId } = raw as { owner: string; template_id: string };
    const { prediction } = await preview({ action: { transfer: { id, to: '0xab' } } });
    const [object] = prediction?.objects ?? [];
    assert.deepEqual([object?.owner, object?.problem], [owner, undefined]);
    assert.equal(object?.name, objects.summary(raw).title);
    assert.equal(prediction?.template?.id, templateId);
    const label: Label = { value: owner, text: 'Box office', source: 'user' };
    const labelled = await preview({ action: { transfer: { id, to: owner } } }, { label });
    assert.ok(formatPreview(labelled).includes(`: owner “Box office” (${owner}), `), formatPreview(labelled));
    assert.ok(labelled.effect.endsWith(` to “Box office” (${owner})`), labelled.effect);
    assert.ok(labelled.body.includes(`"to": "${owner}"`), labelled.body);
    const shared = await preview({ action: { transfer: { id, to: owner } } }, { label: { ...label, source: 'file' } });
    assert.ok(formatPreview(shared).includes(`\n- To: ${owner}, a label of this workspace: “Box office”\n`));
    assert.ok(shared.effect.endsWith(` to “Box office”, a label of this workspace (${owner})`), shared.effect);
    const { metadata } = raw as { metadata: { name: string } };
    const similar = await preview(
      { action: { transfer: { id, to: owner } } },
      { label: { value: '0xother', text: metadata.name.toUpperCase(), source: 'user' } },
    );
    assert.ok(
      formatPreview(similar).includes(
        `- Object: ${id}, not 0xother, which has a similar label: “${objects.summary(raw).title}”`,
      ),
    );
    const missing = await preview({ action: { burn: { id: 'obj_none' } } });
    assert.equal(missing.prediction?.objects[0]?.problem, 'no object with this ID is visible to you');
    assert.match(formatPreview(missing), /- obj_none: no object with this ID is visible to you\n/);
  });

  test('what cannot be read says so', async () => {
    const id = ids.object('Jacket');
    for (const route of ['GET /objects/{objectId}', 'GET /ebus/action-logs'])
      rig.sandbox.faults.add({ route, fault: 'forbidden', count: null });
    const { prediction } = await preview({ action: { burn: { id } } });
    assert.match(prediction?.fee ?? '', /^can’t be determined; the action logs could not be read \(/);
    assert.ok((prediction?.objects[0]?.problem ?? '').length > 5);
    assert.equal(prediction?.template, undefined);
    assert.match(prediction?.permission ?? '', /^can’t be determined; /);
  });

  test('the permission and the signature step are named; the signer is not called', async () => {
    const action = { burn: { id: 'obj_none' } };
    const signer = ['/no/such/signer', '--key'];
    const { prediction, signature } = await preview({ action }, { granted: false, signer });
    assert.equal(prediction?.permission, 'your role lacks ebus.actions: create');
    assert.match(
      signature,
      /^created by the signer \/no\/such\/signer when the action is run; not part of this preview$/,
    );
    const signed = await preview({ action, signature: '0x12' }, { granted: true, signer });
    assert.equal(signed.prediction?.permission, 'your role grants ebus.actions: create');
    assert.match(signed.signature, /^the signature in the file/);
    assert.equal((await preview({ action })).signature, 'none');
  });

  test('signed out, nothing is read, and the text says why', async () => {
    const before = rig.sandbox.recorder.requests.length;
    const result = await preview({ action: { burn: { id: ids.object('Jacket') } } }, { signedOut: true });
    assert.equal(result.prediction, undefined);
    assert.match(result.notes[0] ?? '', /^Not signed in to .*the effect of the action can’t be predicted$/);
    assert.equal(rig.sandbox.recorder.requests.length, before);
  });

  test('an id that is a secret or has no value is not sent in a path', async () => {
    const before = rig.sandbox.recorder.requests.length;
    await preview({ action: { transfer: { id: '${secret:id}', to: '${input:other}' } } });
    const paths = rig.sandbox.recorder.requests.slice(before).map(({ path }) => path);
    assert.ok(paths.length > 0 && paths.every((path) => path === '/ebus/action-logs'), paths.join(', '));
  });

  test('a preview that follows a file reads objects and logs once a minute', async () => {
    const prepared = parseSource({
      name: 'test',
      text: JSON.stringify({ action: { burn: { id: ids.object('Jacket') } } }),
    });
    assert.ok('file' in prepared);
    const target = createTarget({});
    const before = rig.sandbox.recorder.requests.length;
    const options = { variables, getSigner: () => undefined, secrets: [], target };
    const first = await createPreview(prepared, options, never);
    const reads = rig.sandbox.recorder.requests.length - before;
    assert.deepEqual(await createPreview(prepared, options, never), first);
    assert.equal(rig.sandbox.recorder.requests.length - before, reads);
    target.live.clear();
    await createPreview(prepared, options, never);
    assert.equal(rig.sandbox.recorder.requests.length - before, 2 * reads);
  });

  test('no preview has sent an execution', async () => {
    const executes = rig.sandbox.recorder.executes;
    await preview({ action: { burn: { id: ids.object('Jacket') } } });
    assert.equal(rig.sandbox.recorder.executes, executes);
    assert.deepEqual(
      rig.sandbox.recorder.requests.filter(({ method }) => method === 'POST').length,
      executes,
      'only runs were posted',
    );
  });
});

suite('notes of a preview in another display language', () => {
  useDisplayLanguage('fr');

  test('an error of an untrusted workspace is noted without its remark that nothing was sent', async () => {
    const error = new UntrustedWorkspaceError('Non approuvé. Approuvez-le');
    assert.equal(error.message, 'Non approuvé. Approuvez-le. Rien n’a été envoyé');
    const file = parseActionFile('{ "action": { "mint": { "to": "${input:who}" } } }');
    const untrusted = { ...variables, input: () => Promise.reject(error) };
    const { notes } = await composePreview(file, { variables: untrusted, secrets: [] }, never);
    assert.deepEqual(notes, ['Non approuvé. Approuvez-le']);
  });
});
