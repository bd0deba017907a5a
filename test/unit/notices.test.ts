/** Packages that other packages contain in their own files are found, so that the package names their licenses, too. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findVendored, formatNotices } from '../../.config/notices.mjs';
import { ROOT } from '../runtime/paths.ts';

test('the modules inside the MCP SDK are found', () => {
  const files = fs
    .globSync('node_modules/@modelcontextprotocol/server/dist/*.mjs', { cwd: ROOT })
    .map((file) => file.split(path.sep).join('/'));
  const found = new Set(files.flatMap(findVendored));
  for (const name of ['@cfworker/json-schema', 'content-type', 'fast-deep-equal']) assert.ok(found.has(name), name);
  assert.deepEqual(findVendored('src/extension.ts'), []);
});

test('packages under the same license share its text, and each keeps its copyright', () => {
  const mit = (holder: string) => `MIT License\n\nCopyright (c) ${holder}\n\nPermission is granted\nto all.\n`;
  const notices = formatNotices(
    new Map([
      ['one', mit('2020 Ada')],
      ['two', mit('Grace').replace('granted\nto', 'granted to').replace('MIT License', 'The MIT License (MIT)')],
      ['three', 'Copyright 2021, Edsger\n\nOther terms.'],
    ]),
  );
  assert.match(notices, /^one\nCopyright \(c\) 2020 Ada\n\ntwo\nCopyright \(c\) Grace\n\nMIT License\s+Permission/m);
  assert.equal(notices.match(/Permission/g)?.length, 1);
  assert.match(notices, /three\nCopyright 2021, Edsger\n\nOther terms\./);
});
