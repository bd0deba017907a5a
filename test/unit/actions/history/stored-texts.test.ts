/** What is stored of runs and rows has no language: it is shown in that of the window that shows it. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createBatch, resumeBatch } from '../../../../src/actions/bulk/open-batch.ts';
import { readJournal, readResults } from '../../../../src/actions/bulk/journal/read-journal.ts';
import { parseActionFile } from '../../../../src/actions/file/action-file.ts';
import { getRunValue } from '../../../../src/actions/file/variables.ts';
import { describeEffect } from '../../../../src/actions/file/action-kinds.ts';
import { formatRunRow } from '../../../../src/actions/history/run-row.ts';
import { RunStore } from '../../../../src/actions/history/run-store.ts';
import { changeRun, type RunRecord } from '../../../../src/model/runs/run-record.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { setDisplayLanguage } from '../../../../src/platform/text/localization.ts';
import { stored, formatText } from '../../../../src/platform/text/message.ts';
import { executeRun, performRun } from '../../../../src/actions/run/pipeline.ts';
import { canonicalAction } from '../../../../src/actions/run/signer.ts';
import type { VariableSource } from '../../../../src/actions/variables/variable-source.ts';
import { createProxyError } from '../../../../src/platform/http/connector.ts';
import { createCodedError, toConnectError, toPlatformError } from '../../../../src/platform/http/network-errors.ts';
import { RowVariables } from '../../../../src/actions/bulk/rows/row-variables.ts';
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
  '{0}: no earlier run has this name. Run it first': '{0}: kein früherer Lauf heißt so',
  'Row {0} has no value for {1}': 'Zeile {0} hat keinen Wert für {1}',
  'The value of {0} is not a number: {1}': 'Der Wert von {0} ist keine Zahl: {1}',
  'The action contains a number that canonical JSON (RFC 8785) can’t represent exactly': 'Die Zahl ist zu genau',
  'the proxy {0}': 'der Proxy {0}',
  'Could not connect: {0} responded {1}.': 'Keine Verbindung: {0} antwortete {1}.',
  'Could not connect: {0}.': 'Keine Verbindung: {0}.',
  'the certificate of {0} has expired ({1}).': 'das Zertifikat von {0} ist abgelaufen ({1}).',
  'A certificate in smartObjects.caCertificates could not be read.': 'Ein Zertifikat war nicht lesbar.',
  '{0}. Wait {1} before the next request': '{0}. {1} warten',
  'Too many requests': 'Zu viele Anfragen',
  '{0} min {1} s': '{0} Min. {1} s',
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

  /** Composes an action of which one variable fails. Resolves with the run that was not sent. */
  async function compose(value: string, row: VariableSource['row']): Promise<RunRecord> {
    const text = `{"action":{"update":{"id":"obj_1","data":{"v":"${value}"}}}}`;
    const none = (name: string): never => assert.fail(name);
    const variables = {
      row,
      input: none,
      env: none,
      secret: none,
      file: none,
      run: (name: string) => getRunValue(name, new Map()),
    };
    return executeRun(
      {
        record: createRecord(text),
        source: { name: 'a', text },
        file: parseActionFile(text),
        target: { connection: 'a', origin: 'http://127.0.0.1' },
      },
      { variables, getSigner: () => undefined },
      { platform: rig.platform(), time, limits, signal: new AbortController().signal, report: () => undefined },
    );
  }

  test('what fails before or while an action is sent', async () => {
    speak('de');
    const file = parseActionFile('{}');
    const data = { columns: ['a', 'b'], types: { b: 'number' } } as const;
    const none = (name: string): never => assert.fail(name);
    const others = { input: none, env: none, secret: none, file: none, run: none };
    const cells = new RowVariables(file, data, others).forRow({ number: 1200, cells: [undefined, 'x'] });
    const row = (column: string): unknown => cells.row(column);
    const certificate = toConnectError(createCodedError('', 'CERT_HAS_EXPIRED'), 'example.test:443', [
      stored('A certificate in smartObjects.caCertificates could not be read.'),
    ]);
    const error = toPlatformError(certificate, { peer: '', sent: false, headersReceived: false });
    const proxy = { origin: '', label: stored('the proxy {0}', 'p.test:3128') };
    const proxyError = toPlatformError(createProxyError(502, proxy), { peer: '', sent: false, headersReceived: false });
    rig.ledger.plan('wait', { fault: { kind: 'status', when: 'before', status: 429, retryAfter: '125' } });
    const runs = [
      await compose('${run:first.log}', row),
      await compose('${row:a}', row),
      await compose('${row:b}', row),
      await compose('${row:c}', () => canonicalAction('{"n":9007199254740993}')),
      await rig.run(update('tls'), { platform: { ...rig.platform(), execute: () => Promise.reject(error) } }),
      await rig.run(update('proxy'), { platform: { ...rig.platform(), execute: () => Promise.reject(proxyError) } }),
      await rig.run(update('wait')),
    ].map((run, index) => ({ ...run, id: `failed-${String(index)}` }));
    assert.deepEqual(
      runs.map(({ outcome, reason }) => [outcome, reason?.replace(/^Zu viele.*: failed with 429/, '429')]),
      [
        ['notSent', '${run:first.log}: kein früherer Lauf heißt so'],
        ['notSent', 'Zeile 1.200 hat keinen Wert für a'],
        ['notSent', 'Der Wert von b ist keine Zahl: x'],
        ['notSent', 'Die Zahl ist zu genau'],
        [
          'notSent',
          'Keine Verbindung: das Zertifikat von example.test:443 ist abgelaufen (CERT_HAS_EXPIRED). Ein Zertifikat war nicht lesbar',
        ],
        ['notSent', 'Keine Verbindung: der Proxy p.test:3128 antwortete 502'],
        ['refused', '429. 2 Min. 5 s warten'],
      ],
    );
    assert.deepEqual(
      (await store(...runs)).map(({ reason }) => reason?.replace(/^Too many.*: failed with 429/, '429')),
      [
        '${run:first.log}: no earlier run has this name. Run it first',
        'Row 1,200 has no value for a',
        'The value of b is not a number: x',
        'The action contains a number that canonical JSON (RFC 8785) can’t represent exactly',
        'Could not connect: the certificate of example.test:443 has expired (CERT_HAS_EXPIRED). A certificate in smartObjects.caCertificates could not be read',
        'Could not connect: the proxy p.test:3128 responded 502',
        '429. Wait 2 min 5 s before the next request',
      ],
    );
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
