/** Compares fillTemplate with Go's html/template on the cases of a fixture. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fillTemplate } from '../../../../src/faces/template/fill-template.ts';

interface Case {
  readonly template: string;
  readonly output?: string;
  /** Go's error: `parse: …` or `execute: …` */
  readonly error?: string;
}

const file = path.resolve(import.meta.dirname, '../../../fixtures/go-template-cases.json');
const { data, cases } = JSON.parse(fs.readFileSync(file, 'utf8')) as { data: unknown; cases: readonly Case[] };

suite('face template: cases of Go', () => {
  test('the fixture is complete', () => {
    assert.equal(cases.length, 119);
  });

  for (const { template, output, error } of cases) {
    test(template.replaceAll('\n', '⏎'), () => {
      const filled = fillTemplate(template, data);
      if (error === undefined) {
        assert.deepEqual(filled.errors, []);
        assert.equal(filled.text, output);
        return;
      }
      const [problem] = filled.errors;
      assert.ok(problem !== undefined, `should be refused, gave ${filled.text}`);
      // Go computes contexts at the first execution.
      assert.equal(problem.phase === 'parse', error.startsWith('parse'));
      assert.notEqual(problem.phase, 'limit');
    });
  }
});
