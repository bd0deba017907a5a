/**
 * Serves executions in a process of its own: `node execute-server.ts <milliseconds>` answers each after that time. Sends
 * its port to the parent process. Logs are completed, in ledger batches of 100.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const latency = Number(process.argv[2]);
/** The body of an update, as the bench sends it. */
interface Request {
  readonly action: { readonly update: { readonly id: string } };
}
const logs: { readonly id: string; readonly when: string; readonly update: Request['action']['update'] }[] = [];

function createLog({ id, when, update }: (typeof logs)[number], index: number): object {
  return {
    id,
    action_id: id,
    action_name: 'update',
    batch_id: `bat_${String(Math.floor(index / 100))}`,
    params: [update],
    params_hash: '0x1',
    signer: '0x2',
    signature: '0x3',
    affected_objects: [{ id: update.id, template_id: 'tpl_1', next_state_root: '0x4' }],
    status: 'completed',
    fee: '0.1',
    version: 1,
    when_created: when,
    when_modified: when,
  };
}

const server = http.createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const answer = (body: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    if (request.method === 'POST') {
      const id = `act_${String(logs.length)}`;
      const { action } = JSON.parse(body) as Request;
      logs.push({ id, when: new Date().toISOString(), update: action.update });
      setTimeout(() => {
        answer({ action_id: id, steps: [{ action: 'update', output: { ids: [`obj_${id}`] } }] });
      }, latency);
    } else if (url.pathname === '/ebus/action-logs') {
      const end = logs.length - Number(url.searchParams.get('next') ?? 0);
      const from = Math.max(0, end - 100);
      const page = logs.slice(from, end).map((log, index) => createLog(log, from + index));
      answer({ action_logs: page.reverse(), ...(from > 0 && { next: String(logs.length - from) }) });
    } else if (url.pathname.startsWith('/batches/')) answer({ id: url.pathname.slice(9), status: 'completed' });
    else answer({});
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
