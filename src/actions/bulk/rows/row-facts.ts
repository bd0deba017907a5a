import { hash } from 'node:crypto';
import type { ComposedRequest } from '../../run/compose.ts';
import { readRequestFacts, type RequestFacts } from '../../follow/match-action-log.ts';

/**
 * Reads what is compared of a request with action logs, without the values that hold a secret; `undefined` if nothing
 * can be compared.
 */
export function readRowFacts({ body, secrets }: Pick<ComposedRequest, 'body' | 'secrets'>): RequestFacts | undefined {
  const facts = readRequestFacts(body);
  if (facts === undefined) return undefined;
  const values = facts.values.map(({ name, value }) => ({
    name,
    value: secrets.some((secret) => secret !== '' && value?.includes(secret) === true) ? undefined : value,
  }));
  return values.some(({ value }) => value !== undefined) ? { ...facts, values } : undefined;
}

/** SHA-256 of what is compared, for one batch: its variables can have other values when it is resumed. */
export function getFactsDigest(batch: string, { kind, values }: RequestFacts): string {
  return hash('sha256', JSON.stringify([batch, kind, values.map(({ value }) => value)]));
}
