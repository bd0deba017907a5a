/** Confirmation before sending. */
import assert from 'node:assert/strict';
import type { ExtensionContext, Memento } from 'vscode';
import {
  confirmBatch,
  type ConfirmSetting,
  type ConfirmReasons,
} from '../../../../../src/actions/run/confirm/confirm-batch.ts';
import {
  isDisclosureConfirmed,
  storeConfirmedDisclosures,
} from '../../../../../src/actions/variables/confirmed-disclosures.ts';
import { parseActionFile } from '../../../../../src/actions/file/action-file.ts';
import type { Profile } from '../../../../../src/model/session/session.ts';
import type { ConfirmOptions } from '../../../../../src/ui/ui.ts';

const profile: Profile = {
  name: 'Main',
  baseUrl: 'https://api.example.org/v1',
  organizations: [],
  credentialHeaderNames: { tokenHeader: '', tokenPrefix: '', apiKeyHeader: '' },
  links: {},
  queryFormat: { ascending: '', descending: '', flag: '', dateFormat: 'iso8601' },
  source: 'user',
};
const calm: ConfirmReasons = { isExplicit: true, trusted: true, disclosures: [], warnings: [] };

suite('confirmation', () => {
  const session = (environment: 'production' | 'staging' | undefined, mustConfirm: boolean) => ({
    profile: { ...profile, ...(environment !== undefined && { environment }) },
    requiresConfirmation: mustConfirm,
    heading: 'HEADING',
  });
  const ask = async (
    of: ReturnType<typeof session>,
    setting: ConfirmSetting,
    reasons: Partial<ConfirmReasons> = {},
    answer = true,
  ): Promise<{ readonly questions: string[]; readonly yes: boolean }> => {
    const questions: string[] = [];
    const yes = await confirmBatch(
      {
        confirm: ({ message, detail, confirmLabel: action }) => {
          questions.push(`${action}: ${message} ${detail ?? ''}`);
          return Promise.resolve(answer);
        },
        confirmByTyping: ({ message }, expected) => {
          questions.push(`typing ${expected} ${message}`);
          return Promise.resolve(answer);
        },
      },
      of,
      setting,
      { ...calm, effects: ['Mints 1 object', 'Burns 1 object'], remarks: [], ...reasons },
    );
    return { questions: questions, yes };
  };

  test('production must be typed by name whatever the setting, once a batch', async () => {
    for (const setting of ['always', 'productionOnly', 'never'] as const) {
      for (const mustConfirm of [true, false]) {
        const { questions } = await ask(session('production', mustConfirm), setting);
        assert.deepEqual(questions, ['typing Main HEADING: Runs 2 actions in order. This can’t be undone.']);
      }
    }
    assert.equal((await ask(session('production', true), 'never', {}, false)).yes, false);
  });

  test('the box for production shows a few of many, apart from each other, and counts the rest', async () => {
    const details: string[] = [];
    const record = ({ detail }: ConfirmOptions): Promise<boolean> => {
      details.push(detail ?? '');
      return Promise.resolve(true);
    };
    const effects = Array.from({ length: 9 }, (_, index) => `file${String(index)}: Burns 1 object`);
    const ui = { confirm: record, confirmByTyping: record };
    const batch = { ...calm, effects, remarks: [] };
    await confirmBatch(ui, session('production', true), 'always', batch);
    await confirmBatch(ui, session('staging', true), 'always', batch);
    assert.match(
      details[0] ?? '',
      /^1\. file0: Burns 1 object\. ‖ 2\. .* ‖ 3\. [^‖]* ‖ … and 6 more in the output ‖ Will be sent to [^‖]*$/,
    );
    assert.equal(details[1]?.split('\n').length, 10);
  });

  test('a single action is confirmed with its values, a line each, all of them on production', async () => {
    const lines = ['Action: mint', 'Template: tpl_1 “Jacket”', 'Number: 1', 'To: 0x1', 'Fee: 0.1'];
    const questions: ConfirmOptions[] = [];
    const confirm = (question: ConfirmOptions): Promise<boolean> => Promise.resolve(questions.push(question) > 0);
    const batch = { ...calm, effects: ['Creates objects from a template'], lines, remarks: [] };
    for (const environment of ['staging', 'production'] as const)
      await confirmBatch({ confirm, confirmByTyping: confirm }, session(environment, true), 'always', batch);
    const sent = 'Will be sent to https://api.example.org/v1.';
    assert.deepEqual(
      questions.map(({ detail }) => detail),
      [[...lines, sent].join('\n'), [...lines, sent].join(' ‖ ')],
    );
    assert.equal(questions[1]?.message, 'HEADING: Creates objects from a template. This can’t be undone.');
  });

  test('a list is shown up to its limit, and the rest is counted', async () => {
    const details: string[] = [];
    const record = ({ detail }: ConfirmOptions): Promise<boolean> => Promise.resolve(details.push(detail ?? '') > 0);
    const ui = { confirm: record, confirmByTyping: record };
    const many = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));
    for (const effects of [many(12), many(13)])
      await confirmBatch(ui, session('staging', true), 'always', { ...calm, effects, remarks: [] });
    const one = { ...calm, effects: ['Burns 1 object'], disclosures: ['a: KEY is sent.'] };
    await confirmBatch(ui, session('production', true), 'always', { ...one, remarks: many(4) });
    await confirmBatch(ui, session('staging', true), 'always', { ...one, remarks: [], summary: 'Runs burn for 1 row' });
    assert.deepEqual(
      details.map((detail) => detail.split(/\n| ‖ /).slice(-3)),
      [
        ['11. 10.', '12. 11.', 'Will be sent to https://api.example.org/v1.'],
        ['12. 11.', '… and 1 more', 'Will be sent to https://api.example.org/v1.'],
        ['… and 1 more in Problems', 'a: KEY is sent.', 'All of this is sent to https://api.example.org/v1.'],
        ['1. Burns 1 object.', 'a: KEY is sent.', 'All of this is sent to https://api.example.org/v1.'],
      ],
    );
  });

  test('nothing to run is not confirmed', async () => {
    const confirm = (): never => assert.fail('asked');
    const none = { ...calm, effects: [], remarks: [] };
    const ui = { confirm, confirmByTyping: confirm };
    assert.equal(await confirmBatch(ui, session('production', true), 'always', none), true);
  });

  test('what files and agents ask for is confirmed whatever the setting', async () => {
    const requests = ['a asks for the identity default instead of buyer.'];
    const { questions } = await ask(session('staging', false), 'never', { requests });
    assert.match(
      questions[0] ?? '',
      /^Run: HEADING: .* undone\. 1\. [^]*\na asks for the identity default instead of buyer\.\nWill be sent to /,
    );
  });

  test('an action for many rows is confirmed once with their number, on production by name', async () => {
    const questions: string[] = [];
    const record = (kind: string) => (question: ConfirmOptions, expected?: string) => {
      questions.push(`${kind}${expected ?? ''}: ${question.message}`);
      return Promise.resolve(true);
    };
    const ui = { confirm: record('confirm'), confirmByTyping: record('type ') };
    const rows = { ...calm, isExplicit: false, effects: [], remarks: [], summary: 'Runs mint for 300 rows of a.csv' };
    for (const environment of ['staging', 'production'] as const)
      await confirmBatch(ui, session(environment, false), 'productionOnly', rows);
    await confirmBatch(ui, session('staging', false), 'never', rows);
    assert.deepEqual(questions, [
      'confirm: HEADING: Runs mint for 300 rows of a.csv. This can’t be undone.',
      'type Main: HEADING: Runs mint for 300 rows of a.csv. This can’t be undone.',
    ]);
  });

  test('the setting decides unless the connection requires confirmation or variables are new', async () => {
    assert.equal((await ask(session(undefined, true), 'never')).questions.length, 1);
    assert.equal((await ask(session('staging', false), 'never')).questions.length, 0);
    assert.equal((await ask(session('staging', false), 'productionOnly')).questions.length, 0);
    const always = await ask(session('staging', false), 'always');
    assert.match(
      always.questions[0] ?? '',
      /1\. Mints 1 object\.\n2\. Burns 1 object\.\nWill be sent to https:\/\/api\.example\.org\/v1\./,
    );
    const disclosed = await ask(session('staging', false), 'never', {
      disclosures: ['a: the secret KEY is sent to https://api.example.org.'],
    });
    assert.match(disclosed.questions[0] ?? '', /the secret KEY is sent/);
  });

  test('batches are confirmed unless the setting is never', async () => {
    const staging = session('staging', false);
    const count = async (setting: ConfirmSetting): Promise<number> =>
      (await ask(staging, setting, { isExplicit: false })).questions.length;
    assert.deepEqual([await count('always'), await count('productionOnly'), await count('never')], [1, 1, 0]);
    const questions: string[] = [];
    const confirm = ({ message }: ConfirmOptions): Promise<boolean> => Promise.resolve(questions.push(message) > 0);
    const batch = { ...calm, effects: ['Mints 1 object'], remarks: [], isExplicit: false };
    await confirmBatch({ confirm, confirmByTyping: confirm }, staging, 'productionOnly', batch);
    assert.deepEqual(questions, ['HEADING: Runs 1 action: Mints 1 object. This can’t be undone.']);
  });

  test('an untrusted workspace always confirms', async () => {
    assert.equal((await ask(session('staging', false), 'never', { trusted: false })).questions.length, 1);
  });

  test('warnings always require confirmation, come first, and change the button', async () => {
    const warnings = ['Your role lacked the permission.'];
    const { questions } = await ask(session('staging', false), 'never', { warnings });
    assert.match(questions[0] ?? '', /^Run Anyway: HEADING: .* undone\. Your role lacked the permission\.\n1\. /);
    assert.match((await ask(session('staging', false), 'always')).questions[0] ?? '', /^Run: /);
  });
});

suite('variables that were confirmed', () => {
  const target = (baseUrl = 'https://a.example') => ({
    profile: { ...profile, baseUrl },
  });
  const memory = (): Pick<ExtensionContext, 'workspaceState'> => {
    const stored = new Map<string, unknown>();
    const workspaceState: unknown = {
      get: (key: string) => stored.get(key),
      update: (key: string, value: unknown) => Promise.resolve(stored.set(key, value)),
    };
    return { workspaceState: workspaceState as Memento };
  };
  const of = (text: string) => ({ facts: ['vars.action.json', '["secret","KEY"]'], file: parseActionFile(text) });
  const action = '{"action": {"update": {"id": "a", "data": {"custom": {"k": "${secret:KEY}"}}}}}';

  test('are bound to their action and to the server', async () => {
    const context = memory();
    const confirmed = of(action);
    assert.equal(isDisclosureConfirmed(context, target(), confirmed), false);
    await storeConfirmedDisclosures(context, target(), [confirmed]);
    assert.equal(isDisclosureConfirmed(context, target(), confirmed), true);
    assert.equal(isDisclosureConfirmed(context, target(), of(`// a comment\n${action}`)), true);
    const elsewhere = '{"action": {"transfer": {"id": "a", "to": "${secret:KEY}"}}}';
    assert.equal(isDisclosureConfirmed(context, target(), of(elsewhere)), false);
    assert.equal(isDisclosureConfirmed(context, target('https://b.example'), confirmed), false);
  });
});
