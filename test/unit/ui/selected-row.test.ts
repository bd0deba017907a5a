import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SelectedRow } from '../../../src/ui/selected-row.ts';

suite('the selected row', () => {
  setup(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  teardown(() => {
    mock.timers.reset();
  });

  test('is found at once, or when VS Code has read the rows again', async () => {
    let selection = ['before'];
    const row = new SelectedRow(() => ({ selection }));
    assert.equal(await row.find(), 'before');
    selection = [];
    const found = row.find();
    row.handleRead();
    // Read, but another row than the selected one.
    await new Promise(setImmediate);
    row.handleRead();
    // VS Code knows a row once it was read.
    selection = ['after'];
    assert.equal(await found, 'after');
    selection = [];
    const deleted = row.find();
    mock.timers.tick(2000);
    assert.equal(await deleted, undefined);
  });
});
