/** What is stored of runs and rows has no language: it is shown in that of the window that shows it. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBatch, resumeBatch } from '../../../../src/actions/bulk/open-batch.ts';
import { readJournal, readResults } from '../../../../src/actions/bulk/journal/read-journal.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { describeEffect } from '../../../../src/actions/file/action-kinds.ts';
import { formatRunRow } from '../../../../src/actions/history/run-row.ts';
import { RunStore } from '../../../../src/actions/history/run-store.ts';
import { changeRun, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { stored, formatText } from '../../../../src/platform/text/message.ts';
import { performRun } from '../../../../src/actions/run/pipeline.ts';
import { limits, Rig, time, update } from '../run/ledger-rig.ts';
import { startBatchTest } from '../bulk/support.ts';
import { createRecord } from '../support.ts';

const GERMAN: Readonly<Record<string, string>> = {
  'The action and its batch completed': 'Aktion und Batch sind abgeschlossen',
  'Accepted, but the last known status of the action log was {0}': 'Angenommen, letzter Status des Logs: {0}',
  'The action log was still {0} when last checked': 'Das Log war zuletzt noch {0}',
  pending: 'offen',
  '{0} (HTTP {1})': '{0} – HTTP {1}',
  'The platform refused the request': 'Die Plattform hat abgelehnt',
  '{0}: {1}': '{0}: {1}',
  '{0} (step {1} of {2}, {3}). Succeeded: {4}': '{0} (Schritt {1} von {2}, {3}). Gelungen: {4}',
  '{0} closed the connection before responding ({1}).': '{0} hat die Verbindung vor der Antwort getrennt ({1}).',
  '{0}. The request was sent. It may have been executed, and won’t be sent again':
    '{0}. Die Anfrage wurde gesendet und wird nicht wiederholt',
  'Mints {1} object from template {2} for {3}|Mints {1} objects from template {2} for {3}':
    'Prägt {1} Objekt aus {2} für {3}|Prägt {1} Objekte aus {2} für {3}',
  '“{0}” ({1})': '„{0}“ ({1})',
  'No action log was found': 'Kein Log gefunden',
  'not read before sending: {0}': 'vorher nicht gelesen: {0}',
};

const speak = (language: 'de' | 'en'): void => {
  setDisplayLanguage({ language, ...(language === 'de' && { messages: GERMAN }) });
};

suite('texts of stored runs', () => {
  let storage = '';
  let rig: Rig;
  setup(async () => {
    storage = await fs.mkdtemp(path.join(os.tmpdir(), 'texts-'));
    rig = await Rig.start();
  });
  teardown(async () => {
    speak('en');
    await rig.close();
    await fs.rm(storage, { recursive: true });
  });

  /** Stores runs in German. Resolves with what a later window in English has of them. */
  async function store(...runs: readonly RunRecord[]): Promise<readonly RunRecord[]> {
    const store = new RunStore({ storage, log: { warn: (line) => assert.fail(line) } });
    for (const run of runs) store.put(run);
    await store.flush();
    for (const name of await fs.readdir(path.join(storage, 'runs')))
      assert.doesNotMatch(await fs.readFile(path.join(storage, 'runs', name), 'utf8'), /Plattform|Schritt|offen|Prägt/);
    speak('en');
    const later = new RunStore({ storage, log: { warn: (line) => assert.fail(line) } });
    await later.load();
    return runs.map(({ id }) => later.get(id) ?? assert.fail());
  }

  test('a run that is stored in one display language is shown in another', async () => {
    speak('de');
    const run = async (marker: string, plan: Parameters<Rig['ledger']['plan']>[1]): Promise<RunRecord> => {
      rig.ledger.plan(marker, plan);
      return { ...(await rig.run(update(marker))), id: marker };
    };
    const runs = [
      await run('good', { hiddenFor: 0, log: ['completed'], batch: ['completed'] }),
      await run('refused', { fault: { kind: 'status', when: 'before', status: 400 } }),
      await run('failed', { failedStep: { at: 1, of: 2, error: 'the seat is taken' } }),
      await run('lost', { fault: { kind: 'reset', when: 'before' } }),
    ];
    const inGerman = [
      /^Aktion und Batch sind abgeschlossen$/,
      /^Die Plattform hat abgelehnt – HTTP 400: failed with 400$/,
      /^the seat is taken \(Schritt 1 von 2, update\)\. Gelungen: 2 \(update\)$/,
      /^127\.0\.0\.1:\d+ hat die Verbindung vor der Antwort getrennt \(.*\)\. Die Anfrage wurde gesendet/,
    ];
    for (const [index, pattern] of inGerman.entries()) assert.match(runs[index]?.reason ?? '', pattern);
    const inEnglish = [
      /^The action and its batch completed$/,
      /^The platform refused the request \(HTTP 400\): failed with 400$/,
      /^the seat is taken \(step 1 of 2, update\)\. Succeeded: 2 \(update\)$/,
      /^127\.0\.0\.1:\d+ closed the connection before responding \(.*\)\. The request was sent\. It may/,
    ];
    const later = await store(...runs);
    for (const [index, pattern] of inEnglish.entries()) {
      assert.match(later[index]?.reason ?? '', pattern);
      assert.match(formatRunRow(later[index] ?? assert.fail()).label, /completed|refused|failed|outcome unknown/);
    }
    // A window that changes the record stores it again.
    const again = await store(changeRun(later[1] ?? assert.fail(), { actionId: 'x' }));
    assert.match(again[0]?.reason ?? '', inEnglish[1] ?? /^$/);
    speak('de');
    const german = new RunStore({ storage, log: { warn: (line) => assert.fail(line) } });
    await german.load();
    assert.match(german.get('refused')?.reason ?? '', inGerman[1] ?? /^$/);
  });

  test('effects with plural forms, and notes on objects', async () => {
    speak('de');
    const text = '{"action":{"mint":{"template_id":"tpl_1","num":3,"to":"0x1"}}}';
    const effect = describeEffect(parseActionFile(text), (id) => (id === '0x1' ? 'Kasse' : undefined));
    const note = stored(
      'not read before sending: {0}',
      new PlatformError('server', stored('{0} (HTTP {1})', stored('The platform refused the request'), '500')).text,
    );
    const minted = changeRun(createRecord(text, 'minted'), {
      phase: 'ended',
      effect,
      affected: [{ id: 'obj_1', note }],
    });
    assert.equal(minted.effect, 'Prägt 3 Objekte aus tpl_1 für „Kasse“ (0x1)');
    const [first] = await store(minted);
    assert.equal(first?.effect, 'Mints 3 objects from template tpl_1 for “Kasse” (0x1)');
    assert.equal(
      formatText(first.affected[0]?.note ?? ''),
      'not read before sending: The platform refused the request (HTTP 500)',
    );
  });

  test('a text of an earlier program is shown as it is', async () => {
    speak('de');
    const old = { ...createRecord('{}', 'old'), phase: 'ended', outcome: 'refused', reason: 'Abgelehnt' } as const;
    const [run] = await store(old);
    assert.equal(run?.reason, 'Abgelehnt');
    assert.deepEqual(run, old);
  });

  test('secrets are redacted in the parts of a message', async () => {
    rig.ledger.plan('secret', { failedStep: { at: 1, of: 1, error: 'no seat for guest-4711-secret' } });
    const text = update('secret');
    const run = await performRun(
      {
        record: createRecord(text),
        file: parseActionFile(text),
        body: text,
        targets: [],
        secrets: ['guest-4711-secret'],
      },
      { platform: rig.platform(), time, limits, signal: new AbortController().signal, report: () => undefined },
    );
    assert.match(run.reason ?? '', /^no seat for •••• \(step update\)$/);
    await store({ ...run, id: 'secret' });
    const stored = await fs.readFile(path.join(storage, 'runs/secret.json'), 'utf8');
    assert.ok(!stored.includes('guest-4711') && stored.includes('{0} (step {1})'));
  });

  test('the rows of a journal', async () => {
    const fixture = await startBatchTest();
    try {
      speak('de');
      fixture.ledger.plan('m1', { fault: { kind: 'status', when: 'before', status: 400 } });
      fixture.ledger.plan('m2', { fault: { kind: 'reset', when: 'before' } });
      const batch = await createBatch(fixture.options(2, { pacing: { concurrency: 1 } }));
      batch.start();
      await batch.ended;
      const results = await batch.readResults([1, 2]);
      assert.equal(results[0]?.reason, 'failed with 400 (Die Plattform hat abgelehnt – HTTP 400)');
      assert.match(results[1]?.reason ?? '', /getrennt \(.*\)\. Kein Log gefunden$/);
      await batch.close();
      const { journal } = fixture.options(2);
      assert.doesNotMatch(await fs.readFile(journal, 'utf8'), /Plattform|getrennt|gefunden/);
      speak('en');
      const { table } = await readJournal(journal);
      const later = await readResults(journal, table, [1, 2]);
      assert.equal(later[0]?.reason, 'failed with 400 (The platform refused the request (HTTP 400))');
      assert.match(later[1]?.reason ?? '', /closed the connection before responding \(.*\)\. No action log was found$/);
      const resumed = await resumeBatch(fixture.options(2));
      resumed.start();
      await resumed.ended;
      const [, second] = await resumed.readResults([1, 2]);
      assert.equal(second?.reason, later[1]?.reason, 'the result of the last search is not repeated');
    } finally {
      await fixture.close();
    }
  });
});
