import { getTitleOrId, type TitleSources } from '../../cache/title-lookup.ts';
import type { Labels } from '../../model/text/labels.ts';
import type { LogRow } from '../../webviews/protocol/logs.ts';

/** Adds the label of its signer to a row or a step, if there is one. */
export function addSignerLabel<Row extends { readonly signer: string }>(
  labels: Pick<Labels, 'get'>,
  row: Row,
): Row & { readonly signerLabel?: string } {
  const label = labels.get(row.signer);
  return label === undefined ? row : { ...row, signerLabel: label.text };
}

/** Adds the label of its signer and the title of its first object to a row, if they are known. */
export function addRowNames(sources: Required<TitleSources>, row: LogRow): LogRow {
  const [id] = row.objects;
  const objectName =
    id === undefined ? undefined : getTitleOrId(sources, { connection: row.connection, kind: 'objects', id });
  return {
    ...addSignerLabel(sources.labels, row),
    ...(objectName !== undefined && objectName !== id && { objectName }),
  };
}
