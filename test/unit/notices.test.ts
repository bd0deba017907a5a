/** Packages that other packages contain in their own files are found, so that the package names their licenses, too. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findVendored } from '../../.config/notices.mjs';
import { ROOT } from '../runtime/paths.ts';

test('the modules inside the MCP SDK are found', () => {
  const files = fs
    .globSync('node_modules/@modelcontextprotocol/server/dist/*.mjs', { cwd: ROOT })
    .map((file) => file.split(path.sep).join('/'));
  const found = new Set(files.flatMap(findVendored));
  for (const name of ['@cfworker/json-schema', 'content-type', 'fast-deep-equal']) assert.ok(found.has(name), name);
  assert.deepEqual(findVendored('src/extension.ts'), []);
});
