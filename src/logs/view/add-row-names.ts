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

/** Adds the label of its signer and the titles of its first object and template to a row, if they are known. */
export function addRowNames(sources: Required<TitleSources>, row: LogRow): LogRow {
  const getName = (kind: string, id: string | undefined): string | undefined => {
    const name = id === undefined ? id : getTitleOrId(sources, { connection: row.connection, kind, id });
    return name === id ? undefined : name;
  };
  const objectName = getName('objects', row.objects[0]);
  const templateName = getName('templates', row.templates?.[0]);
  return {
    ...addSignerLabel(sources.labels, row),
    ...(objectName !== undefined && { objectName }),
    ...(templateName !== undefined && { templateName }),
  };
}
