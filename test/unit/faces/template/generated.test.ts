/** Compares fillTemplate with Go's recorded output of thousands of generated templates. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fillTemplate } from '../../../../src/faces/template/fill-template.ts';
import { data as generated, templates } from '../../../fixtures/go-templates/generate.ts';

interface Fixture {
  readonly data: unknown;
  /** the template and Go's output; where Go stopped, the output before */
  readonly cases: readonly (readonly [string, string, ('parse' | 'escape' | 'execute')?])[];
}

const file = path.resolve(import.meta.dirname, '../../../fixtures/go-templates.json');
const { data, cases } = JSON.parse(fs.readFileSync(file, 'utf8')) as Fixture;

suite('face template: generated cases of Go', () => {
  test('the recorded templates equal the generated ones', () => {
    assert.deepEqual(data, generated);
    assert.deepEqual(
      cases.slice(0, 200).map(([template]) => template),
      templates(200, 1),
    );
  });

  test('each template is filled like in Go', () => {
    assert.ok(cases.length >= 4000);
    const stricter: string[] = [];
    const wrong = cases.flatMap(([template, output, stops]) => {
      const { text, errors } = fillTemplate(template, data);
      const [error] = errors;
      if (error !== undefined && error.phase !== 'execute' && stops !== 'parse' && stops !== 'escape') {
        stricter.push(template);
        return [];
      }
      if (stops === undefined)
        return error === undefined && text === output ? [] : [{ template, go: output, ours: error?.message ?? text }];
      // Where Go stops at an action, the output before it is equal.
      const same = error !== undefined && (stops === 'execute') === (error.phase === 'execute');
      return same && (stops !== 'execute' || text.startsWith(output)) ? [] : [{ template, go: stops, ours: text }];
    });
    assert.deepEqual(wrong.slice(0, 5), [], `${String(wrong.length)} of ${String(cases.length)}`);
    // docs/faces.md lists what is refused here and not by Go.
    assert.ok(stricter.length < cases.length * 0.003, stricter.join('\n'));
  });
});
