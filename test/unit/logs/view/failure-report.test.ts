import assert from 'node:assert/strict';
import { parseRaw } from '../../../../src/logs/entry.ts';
import { formatActionFile } from '../../../../src/logs/view/action-file.ts';
import { formatFailureReport } from '../../../../src/logs/view/failure-report.ts';
import { createExportWriter } from '../../../../src/model/export/export-writer.ts';
import { actionLogs } from '../../../../src/platform/resources/action-logs.ts';
import { entry } from '../entries.ts';

suite('failure reports', () => {
  test('escapes Markdown of the server', () => {
    const failed = entry('a', 1000, {
      status: 'failed',
      error: '| <img src=x> [click](http://evil) ```',
    });
    const report = formatFailureReport({
      row: failed.row,
      raw: parseRaw(failed),
      connection: 'C|D',
      environment: 'production',
      batch: '{"x": "````"}',
      object: '',
      run: '',
    });
    const [table = ''] = report.split('## Action log');
    assert.doesNotMatch(table, /[^\\]<img|[^\\]\[click/);
    assert.match(table, /\\\(from the action log\\\)/);
    assert.match(report, /`````json\n\{"x": "````"\}\n`````/);
  });

  test('keeps long numbers exact in the stored JSON, reports, action files and exports', () => {
    const big = JSON.rawJSON('12345678901234567890');
    const failed = entry('a', 1000, { status: 'failed', action_name: 'update', params: [{ amount: big }], fee: big });
    const raw = parseRaw(failed);
    assert.equal(JSON.stringify(raw), failed.text);
    const parts = { row: failed.row, connection: 'C', environment: '', batch: '', object: '', run: '' };
    const report = formatFailureReport({ ...parts, raw });
    assert.match(report, /"amount": 12345678901234567890\n/);
    assert.match(report, /\| Reason \| The platform did not provide a reason/);
    assert.match(report, /\| Fee \| 12345678901234567890 \|/);
    assert.match(formatActionFile(raw) ?? '', /"amount": 12345678901234567890\n/);
    assert.match(createExportWriter('ndjson', actionLogs).rows([raw], 0), /"amount":12345678901234567890\}/);
    assert.match(createExportWriter('csv', actionLogs).rows([raw], 0), /12345678901234567890/);
    assert.match(report, /\| Created \| 1970/);
    const untimed = entry('b', 1000, { status: 'failed', when_created: null });
    assert.doesNotMatch(formatFailureReport({ ...parts, row: untimed.row, raw }), /\| Created \|/);
    // A log that could not be read is replaced by the reason.
    assert.match(
      formatFailureReport({ ...parts, raw: 'Read action log: gone' }),
      /## Action log\n\n```json\nRead action log: gone\n/,
    );
  });
});
