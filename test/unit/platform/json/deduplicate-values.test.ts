/** Sharing of equal values between items: unchanged JSON, less than half of the memory. */
import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';
import fc from 'fast-check';
import { PagedList, MAX_VISIBLE_ROWS } from '../../../../src/explorer/tree/paged-list.ts';
import { parseJson } from '../../../../src/platform/json/parse-json.ts';
import { readPage } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';
import { ValueDeduplicator } from '../../../../src/platform/json/deduplicate-values.ts';

v8.setFlagsFromString('--expose-gc');
globalThis.gc ??= vm.runInNewContext('gc') as typeof globalThis.gc;

/** An object of a kilobyte, most of which equals its template's. */
function object(index: number): string {
  const template = index % 8;
  const own = (length: number): string => String(index).padStart(length, 'f');
  const text = `What template ${String(template)} is about. `.repeat(10);
  return JSON.stringify({
    id: own(24),
    org_id: 'organization_0001',
    chain: { contract_address: `0x${'ab'.repeat(20)}`, network: 'test-network', chain_id: 1 },
    custom: { level: index % 100, text, seat: own(6) },
    metadata: {
      name: `Ticket ${own(6)}`,
      description: text,
      image: { url: `https://example.com/${String(template)}.png` },
    },
    owner: `0x${own(40)}`,
    template_id: `template_000${String(template)}`,
    nonce: 3,
    version: 1,
    state_root: `0x${own(64)}`,
    when_created: new Date(1.7e12 + index * 1000).toISOString(),
    when_modified: new Date(1.7e12 + index * 1000).toISOString(),
  });
}

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
    const pages = 200;
    const page = (number: number): string =>
      `{"objects":[${Array.from({ length: 100 }, (_, at) => object(number * 100 + at)).join(',')}]}`;
    const used = (): number => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    const empty = used();
    const plain = Array.from({ length: pages }, (_, number) => JSON.parse(page(number)) as unknown);
    const parsed = used() - empty;
    assert.equal(plain.length, pages);
    plain.length = 0;
    const passing: boolean[] = [];
    const branch = new PagedList({
      createPageReader: () => (cursor, _signal, isPassing) => {
        const number = Number(cursor ?? 0);
        passing.push(isPassing);
        const { objects: list } = JSON.parse(page(number)) as { objects: unknown[] };
        const answer = { objects: list, ...(number + 1 < pages && { next: String(number + 1) }) };
        return Promise.resolve(readPage(registry.objects.list, registry.objects.schema, answer));
      },
      signal: new AbortController().signal,
    });
    const before = used();
    await branch.open();
    await branch.loadAll(() => undefined, new AbortController().signal);
    const loaded = used() - before;
    assert.equal(branch.items.length, pages * 100);
    assert.ok(loaded < parsed / 2, `${String(loaded)} of ${String(parsed)}`);
    // Not cached elsewhere either.
    assert.equal(passing.indexOf(true), MAX_VISIBLE_ROWS / 100);
    assert.equal(passing.lastIndexOf(false), MAX_VISIBLE_ROWS / 100 - 1);
  });
});
