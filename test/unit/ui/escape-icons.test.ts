import assert from 'node:assert/strict';
import { toQuickPickText } from '../../../src/explorer/format.ts';
import { escapeIcons } from '../../../src/ui/escape-icons.ts';

suite('names with icons', () => {
  // What VS Code renders as an icon.
  const icon = /\$\([\w-]+(?:~[\w-]+)?\)/;

  test('are text where VS Code shows icons', () => {
    const name = 'Paid $(pass) $(sync~spin)$($(alert)';
    assert.match(name, icon);
    for (const text of [escapeIcons(name), toQuickPickText(name)]) {
      assert.doesNotMatch(text, icon);
      assert.equal(text.replaceAll('\u2060', ''), name);
    }
  });
});
