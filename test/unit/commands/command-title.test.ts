/** Titles of commands in errors, from the manifest as VS Code has read it. */
import assert from 'node:assert/strict';
import { readCommandTitle } from '../../../src/commands/command-title.ts';
import { readManifest } from '../../support/manifest.ts';

const withTitle = (title: unknown): unknown => ({
  contributes: { commands: [null, { command: 'smartObjects.other' }, { command: 'smartObjects.signIn', title }] },
});

suite('titles of commands', () => {
  test('are those of the manifest, without the ellipsis', () => {
    const manifest = readManifest();
    assert.equal(readCommandTitle(manifest, 'signIn'), 'Sign In');
    assert.equal(readCommandTitle(manifest, 'checkAction'), 'Check Action File');
    assert.equal(readCommandTitle(manifest, 'executeOn'), 'Run Action File');
    assert.equal(readCommandTitle(manifest, 'executeAs'), 'Run Action File');
  });

  test('are in the display language, which VS Code gives as a text or beside the original', () => {
    assert.equal(readCommandTitle(withTitle('Anmelden…'), 'signIn'), 'Anmelden');
    assert.equal(readCommandTitle(withTitle('Se connecter ...'), 'signIn'), 'Se connecter');
    assert.equal(readCommandTitle(withTitle({ value: 'Anmelden…', original: 'Sign In…' }), 'signIn'), 'Anmelden');
  });

  test('are the id where the manifest is something else', () => {
    for (const manifest of [undefined, null, 'x', {}, { contributes: { commands: {} } }, withTitle(1), withTitle({})])
      assert.equal(readCommandTitle(manifest, 'signIn'), 'signIn');
  });
});
