/** What is asked before anything is sent: when, in which words, and what was confirmed before. */
import assert from 'node:assert/strict';
import type { ExtensionContext, Memento } from 'vscode';
import { confirmBatch, type ConfirmSetting, type Reasons } from '../../../src/actions/confirm.ts';
import { isDisclosed, rememberDisclosed } from '../../../src/actions/disclosed.ts';
import { parseActionFile } from '../../../src/actions/file.ts';
import type { Profile } from '../../../src/connections/types.ts';
import type { Question } from '../../../src/ui/ui.ts';

const profile: Profile = {
  name: 'Main',
  baseUrl: 'https://api.example.org/v1',
  organizations: [],
  presentation: { tokenHeader: '', tokenPrefix: '', apiKeyHeader: '' },
  links: {},
  words: { ascending: '', descending: '', flag: '', dateFormat: 'iso8601' },
  source: 'user',
};
const calm: Reasons = { aimed: true, trusted: true, discloses: [], objections: [] };

suite('confirmation', () => {
  const session = (environment: 'production' | 'staging' | undefined, mustConfirm: boolean) => ({
    profile: { ...profile, ...(environment !== undefined && { environment }) },
    mustConfirm,
    heading: 'HEADING',
  });
  const ask = async (
    of: ReturnType<typeof session>,
    setting: ConfirmSetting,
    reasons: Partial<Reasons> = {},
    answer = true,
  ): Promise<{ readonly asked: string[]; readonly yes: boolean }> => {
    const asked: string[] = [];
    const yes = await confirmBatch(
      {
        confirm: ({ message, detail, action }) => {
          asked.push(`${action}: ${message} ${detail ?? ''}`);
          return Promise.resolve(answer);
        },
        confirmByTyping: ({ message }, expected) => {
          asked.push(`typing ${expected} ${message}`);
          return Promise.resolve(answer);
        },
      },
      of,
      setting,
      { ...calm, effects: ['Mints 1 object', 'Burns 1 object'], remarks: [], ...reasons },
    );
    return { asked, yes };
  };

  test('production asks for its name whatever the setting says, once a batch', async () => {
    for (const setting of ['always', 'productionOnly', 'never'] as const) {
      const { asked } = await ask(session('production', true), setting);
      assert.deepEqual(asked, ['typing Main HEADING: Executes 2 actions in order. It cannot be taken back.']);
    }
    assert.equal((await ask(session('production', true), 'never', {}, false)).yes, false);
  });

  test('the box for production shows a few of many, apart from each other, and counts the rest', async () => {
    const details: string[] = [];
    const keep = ({ detail }: Question): Promise<boolean> => {
      details.push(detail ?? '');
      return Promise.resolve(true);
    };
    const effects = Array.from({ length: 9 }, (_, index) => `file${String(index)}: Burns 1 object`);
    const ui = { confirm: keep, confirmByTyping: keep };
    const batch = { ...calm, effects, remarks: [] };
    await confirmBatch(ui, session('production', true), 'always', batch);
    await confirmBatch(ui, session('staging', true), 'always', batch);
    assert.match(
      details[0] ?? '',
      /^1\. file0: Burns 1 object\. ‖ 2\. .* ‖ 3\. [^‖]* ‖ … and 6 more, in the output ‖ Sent to [^‖]*$/,
    );
    assert.equal(details[1]?.split('\n').length, 10);
  });

  test('a connection that must confirm asks; another as the setting says; new variables always', async () => {
    assert.equal((await ask(session(undefined, true), 'never')).asked.length, 1);
    assert.equal((await ask(session('staging', false), 'never')).asked.length, 0);
    assert.equal((await ask(session('staging', false), 'productionOnly')).asked.length, 0);
    const always = await ask(session('staging', false), 'always');
    assert.match(
      always.asked[0] ?? '',
      /1\. Mints 1 object\.\n2\. Burns 1 object\.\nSent to https:\/\/api\.example\.org\/v1\./,
    );
    const disclosed = await ask(session('staging', false), 'never', {
      discloses: ['a: the secret KEY is sent to https://api.example.org.'],
    });
    assert.match(disclosed.asked[0] ?? '', /the secret KEY is sent/);
  });

  test('what the user did not aim at one file is asked about, unless the setting is never', async () => {
    const staging = session('staging', false);
    const count = async (setting: ConfirmSetting): Promise<number> =>
      (await ask(staging, setting, { aimed: false })).asked.length;
    assert.deepEqual([await count('always'), await count('productionOnly'), await count('never')], [1, 1, 0]);
    const asked: string[] = [];
    const confirm = ({ message }: Question): Promise<boolean> => Promise.resolve(asked.push(message) > 0);
    const batch = { ...calm, effects: ['Mints 1 object'], remarks: [], aimed: false };
    await confirmBatch({ confirm, confirmByTyping: confirm }, staging, 'productionOnly', batch);
    assert.deepEqual(asked, ['HEADING: Executes 1 action: Mints 1 object. It cannot be taken back.']);
  });

  test('in an untrusted workspace everything is asked about, whatever the setting is', async () => {
    assert.equal((await ask(session('staging', false), 'never', { trusted: false })).asked.length, 1);
  });

  test('what stands against sending is asked about first, whatever the setting is, and the button says so', async () => {
    const objections = ['Your role lacked the permission.'];
    const { asked } = await ask(session('staging', false), 'never', { objections });
    assert.match(asked[0] ?? '', /^Execute Anyway: HEADING: .* back\. Your role lacked the permission\.\n1\. /);
    assert.match((await ask(session('staging', false), 'always')).asked[0] ?? '', /^Execute: /);
  });
});

suite('variables that were confirmed', () => {
  const target = (baseUrl = 'https://a.example') => ({
    profile: { ...profile, baseUrl },
  });
  const memory = (): Pick<ExtensionContext, 'workspaceState'> => {
    const kept = new Map<string, unknown>();
    const workspaceState: unknown = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(kept.set(key, value)),
    };
    return { workspaceState: workspaceState as Memento };
  };
  const of = (text: string) => ({ lines: ['vars.action.json sends the secret KEY.'], file: parseActionFile(text) });
  const action = '{"action": {"update": {"id": "a", "data": {"custom": {"k": "${secret:KEY}"}}}}}';

  test('are bound to the action that they go into, and to the server', async () => {
    const context = memory();
    const confirmed = of(action);
    assert.equal(isDisclosed(context, target(), confirmed), false);
    await rememberDisclosed(context, target(), [confirmed]);
    assert.equal(isDisclosed(context, target(), confirmed), true);
    assert.equal(isDisclosed(context, target(), of(`// a comment\n${action}`)), true);
    const elsewhere = '{"action": {"transfer": {"id": "a", "to": "${secret:KEY}"}}}';
    assert.equal(isDisclosed(context, target(), of(elsewhere)), false);
    assert.equal(isDisclosed(context, target('https://b.example'), confirmed), false);
  });
});
