/** Files of a suite in which an owner hands an object over and a buyer gives it back, each as an identity of its own. */
import type { Sandbox } from '../../src/sandbox/server.ts';

/** The files by name: `sale.actions.json` is the suite. The identity of the buyer is `buyer`, that of the owner the default one. */
export function createSaleFiles({
  world,
  address,
  buyer,
}: Pick<Sandbox, 'world' | 'address' | 'buyer'>): Readonly<Record<string, unknown>> {
  const { source } = world.templates;
  const ids = Array.from({ length: source.size }, (_, index) => source.idAt(index));
  const ticket = ids.find((id) => world.templates.findPlan(id)?.plan.name === 'Harbour Concert Ticket');
  const id = '${run:mint.steps[0].output.ids[0]}';
  const give = { action: { transfer: { id, to: buyer.address } } };
  return {
    'sale.actions.json': {
      steps: [
        { name: 'mint', as: 'default', request: { action: { mint: { template_id: ticket, to: address } } } },
        {
          name: 'theft',
          as: 'buyer',
          request: give,
          expect: { status: 'failed', steps: [{ action: 'transfer', error: 'the caller does not own the object' }] },
        },
        { name: 'sale', request: give, expect: { log: { signer: address } } },
        { name: 'return', file: 'return.action.json' },
      ],
    },
    'return.action.json': { action: { transfer: { id, to: address } } },
    'return.expect.json': { as: 'buyer', log: { signer: buyer.address } },
  };
}
