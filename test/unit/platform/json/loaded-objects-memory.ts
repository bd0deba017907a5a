/** Prints the bytes of 20,000 objects parsed plainly and loaded by a list, in a process of its own: other tests' garbage would count. */
import v8 from 'node:v8';
import vm from 'node:vm';
import { PagedList } from '../../../../src/explorer/tree/paged-list.ts';
import { readPage } from '../../../../src/platform/page.ts';
import { registry } from '../../../../src/platform/registry.ts';

v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc') as NonNullable<typeof globalThis.gc>;

const PAGES = 200;

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

const page = (number: number): string =>
  `{"objects":[${Array.from({ length: 100 }, (_, at) => object(number * 100 + at)).join(',')}]}`;
const used = (): number => {
  gc();
  return process.memoryUsage().heapUsed;
};

const empty = used();
const plain = Array.from({ length: PAGES }, (_, number) => JSON.parse(page(number)) as unknown);
const parsed = used() - empty;
plain.length = 0;
const passing: boolean[] = [];
const branch = new PagedList({
  createPageReader: () => (cursor, _signal, isPassing) => {
    const number = Number(cursor ?? 0);
    passing.push(isPassing);
    const { objects: list } = JSON.parse(page(number)) as { objects: unknown[] };
    const answer = { objects: list, ...(number + 1 < PAGES && { next: String(number + 1) }) };
    return Promise.resolve(readPage(registry.objects.list, registry.objects.schema, answer));
  },
  signal: new AbortController().signal,
});
const before = used();
await branch.open();
await branch.loadAll(() => undefined, new AbortController().signal);
const loaded = used() - before;
console.log(JSON.stringify({ parsed, loaded, count: branch.items.length, passing }));
