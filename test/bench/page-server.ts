/** The server of the bench, as a child process: answers `GET /objects` from memory. */
import http from 'node:http';

const PAGE = 100;

function object(index: number): string {
  const item = {
    id: `obj_${String(index).padStart(12, '0')}`,
    org_id: 'org_0001',
    chain: { contract_address: `0x${'ab'.repeat(20)}`, network: 'testnet', chain_id: 11155111 },
    custom: { level: index % 100, colour: 'teal', note: '' },
    metadata: {
      name: `Harbour Ticket ${String(index)}`,
      description: 'Entry for one',
      category: 'ticket',
      edition: index,
    },
    owner: `0x${'cd'.repeat(20)}`,
    template_id: `tpl_${String(index % 8)}`,
    location: { latitude: 52.5, longitude: 13.4, geo_hash: 'u33dc0' },
    nonce: 3,
    version: 1,
    state_root: `0x${'12'.repeat(32)}`,
    when_created: '2026-01-01T00:00:00Z',
    when_modified: '2026-01-02T00:00:00Z',
  };
  item.custom.note = 'x'.repeat(Math.max(0, 1024 - JSON.stringify(item).length));
  return JSON.stringify(item);
}

// All pages are one text with different ids, so that the server takes little time.
const parts = Array.from({ length: PAGE }, (_, index) => object(index))
  .join(',')
  .split('"obj_');
const pages = Number(process.argv[2] ?? 1000);

const server = http.createServer((request, response) => {
  const next = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('next') ?? 0) + 1;
  response.setHeader('content-type', 'application/json');
  const items = parts.join(`"obj_${String(next)}_`);
  response.end(`{"objects":[${items}]${next < pages ? `,"next":"${String(next)}"` : ''}}`);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
