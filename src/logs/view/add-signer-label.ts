import type { Labels } from '../../model/text/labels.ts';

/** Adds the label of its signer to a row or a step, if there is one. */
export function addSignerLabel<Row extends { readonly signer: string }>(
  labels: Pick<Labels, 'get'>,
  row: Row,
): Row & { readonly signerLabel?: string } {
  const label = labels.get(row.signer);
  return label === undefined ? row : { ...row, signerLabel: label.text };
}
