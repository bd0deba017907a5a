/** Reads objects of a template, from which types are inferred. */
import type { PlatformClient } from '../../platform/client.ts';
import { isEndlessListError } from '../../platform/paginate.ts';

/** Objects that are sampled to find optional fields. */
const MAX_SAMPLES = 200;

/**
 * Resolves to the newest objects of a template, at most `MAX_SAMPLES`. `report` gets their number after each page.
 * Rejects with PlatformError.
 */
export async function readSamples(
  client: PlatformClient,
  templateId: string,
  signal: AbortSignal,
  report?: (count: number) => void,
): Promise<readonly unknown[]> {
  const samples: unknown[] = [];
  try {
    for await (const page of client.listPages(
      'objects',
      { template_id: templateId, limit: 100 },
      { signal, distinct: true },
    )) {
      for (const { raw } of page.items) samples.push(raw);
      report?.(samples.length);
      if (samples.length >= MAX_SAMPLES) break;
    }
  } catch (error) {
    // The items of a list that never ends are enough.
    if (!isEndlessListError(error) || samples.length === 0) throw error;
  }
  return samples.slice(0, MAX_SAMPLES);
}
