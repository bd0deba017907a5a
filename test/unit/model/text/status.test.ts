import assert from 'node:assert/strict';
import { useDisplayLanguage } from '../../../support/display-languages.ts';
import { createStatusChoice, formatStatus } from '../../../../src/model/text/status.ts';
import { formatFilterText } from '../../../../src/model/resources/filter-fields.ts';
import { actionLogs } from '../../../../src/platform/resources/action-logs.ts';
import { getSearchText, parseSearch } from '../../../../src/webviews/client/logs/table/search.ts';
import { listTableColumns } from '../../../../src/explorer/table/table-columns.ts';
import type { LogRow } from '../../../../src/webviews/protocol/logs.ts';

const KNOWN = ['pending', 'processing', 'completed', 'failed', 'finalized'];

suite('statuses', () => {
  test('are shown as the platform sends them in English', () => {
    assert.deepEqual(KNOWN.map(formatStatus), KNOWN);
    assert.deepEqual(createStatusChoice('failed'), { label: 'failed', value: 'failed' });
  });
});

suite('statuses in another display language', () => {
  useDisplayLanguage('de');

  test('known ones are shown in the display language, others as the platform sends them', () => {
    for (const status of KNOWN) assert.notEqual(formatStatus(status), status);
    assert.deepEqual(['failed', 'reverted', ''].map(formatStatus), ['fehlgeschlagen', 'reverted', '']);
  });

  test('a filter shows the status and keeps its value', () => {
    assert.match(
      formatFilterText('status', 'failed', () => undefined),
      /: fehlgeschlagen$/,
    );
    assert.deepEqual(createStatusChoice('failed'), {
      label: 'fehlgeschlagen',
      description: 'failed',
      value: 'failed',
    });
    assert.deepEqual(createStatusChoice('image/png'), { label: 'image/png', value: 'image/png' });
  });

  test('rows are found by what is shown and by the value', () => {
    const row: LogRow = {
      key: 'A\n1',
      id: '1',
      connection: 'A',
      time: 0,
      status: 'pending',
      action: 'mint',
      alias: '',
      signer: '',
      objects: [],
      objectCount: 0,
      fee: '',
      batch: '',
      message: '',
    };
    for (const text of ['pending', 'ausstehend']) assert.ok(parseSearch(text).matches(getSearchText(row)), text);
  });

  test('the table shows the state and exports the value', () => {
    const raw = { id: 'log_1', status: 'completed' };
    const state = listTableColumns(actionLogs, [{ raw }]).find(({ key }) => key === 'summary:State');
    const item = { id: 'log_1', raw, summary: actionLogs.summary(raw) };
    assert.equal(state?.getText(item), 'abgeschlossen');
    assert.equal(state.getTitle?.(item), 'abgeschlossen');
    assert.equal(state.getValue(item), 'completed');
  });
});
