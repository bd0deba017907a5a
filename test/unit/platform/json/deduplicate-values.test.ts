/** Sharing of equal values between items: unchanged JSON, less than half of the memory. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_VISIBLE_ROWS } from '../../../../src/explorer/tree/paged-list.ts';
import { parseJson } from '../../../../src/platform/json/parse-json.ts';
import { ValueDeduplicator } from '../../../../src/platform/json/deduplicate-values.ts';
import { runNode } from '../../../runtime/child-process.ts';

suite('shared values', () => {
  test('property: no item changes, whatever the names and values', () => {
    const values = fc.array(
      fc.record({ template_id: fc.constantFrom('a', 'b', 1), x: fc.jsonValue(), y: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(values, (items) => {
        const texts = [...items, ...items].map((item) => JSON.stringify(item));
        const shared = new ValueDeduplicator();
        const parsed = texts.map((text) => parseJson(text));
        for (const item of parsed) shared.add(item);
        assert.deepEqual(
          parsed.map((item) => JSON.stringify(item)),
          texts.map((text) => JSON.stringify(parseJson(text))),
        );
      }),
    );
  });

  test('names that every object has, and numbers past 2^53', () => {
    const text =
      '{"__proto__":{},"toString":"a long enough text","constructor":{"name":"x"},"n":{"m":12345678901234567890},"l":[{}]}';
    const shared = new ValueDeduplicator();
    const items = [text, text, '{"n":{}}', text].map((one) => parseJson(one));
    for (const item of items) shared.add(item);
    assert.deepEqual(
      items.map((item) => JSON.stringify(item)),
      [text, text, '{"n":{}}', text],
    );
  });

  test('20,000 loaded objects use less than half of the memory of parsed ones', async () => {
    const { code, output } = await runNode(['test/unit/platform/json/loaded-objects-memory.ts']);
    assert.equal(code, 0, output);
    const { parsed, loaded, count, passing } = JSON.parse(output) as {
      readonly parsed: number;
      readonly loaded: number;
      readonly count: number;
      readonly passing: readonly boolean[];
    };
    assert.equal(count, 20_000);
    assert.ok(loaded < parsed / 2, `${String(loaded)} of ${String(parsed)}`);
    // Not cached elsewhere either.
    assert.equal(passing.indexOf(true), MAX_VISIBLE_ROWS / 100);
    assert.equal(passing.lastIndexOf(false), MAX_VISIBLE_ROWS / 100 - 1);
  });
});
