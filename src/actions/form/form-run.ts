/** What the form shows of its run, and the kinds of action to choose from. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatLine, formatOutcome, formatRunState, type RunRecord } from '../../model/runs/run-record.ts';
import type { JsonObject } from '../../platform/json/json.ts';
import type { FormState, RUN_LINKS } from '../../webviews/protocol/form.ts';
import { getChangedObjects } from '../history/run-documents.ts';
import { isFullyCompleted } from '../history/run-row.ts';
import { listTemplateActions } from '../language/new-action-file.ts';

type RunLink = (typeof RUN_LINKS)[number];

/** The state or outcome of a run, with links to what it left. */
export function formatRun(
  run: RunRecord,
  isActive: boolean,
  getName: (id: string) => string | undefined,
): NonNullable<FormState['run']> {
  const isDecided = run.outcome !== undefined;
  const reason = isFullyCompleted(run) || !isDecided ? '' : (run.reason ?? '');
  const state = isDecided ? formatOutcome(run) : formatRunState(run);
  const text = isActive && isDecided ? l10n.t('{0} ({1})', state, formatRunState(run)) : state;
  const [object] = run.affected;
  const links = [
    ...(object === undefined
      ? []
      : [{ link: 'object', label: l10n.t('Open {0}', formatLine(getName(object.id) ?? object.id, 80)) } as const]),
    ...(getChangedObjects(run).length > 0 ? [{ link: 'changes', label: l10n.t('Show Changes') } as const] : []),
    ...(run.logId === undefined ? [] : [{ link: 'log', label: l10n.t('Open Action Log') } as const]),
    { link: 'run', label: l10n.t('Show Run') } as const,
  ];
  return {
    text: `${l10n.t('{0}: {1}.', run.name, text)} ${formatLine(reason, 1000)}`.trim(),
    tone:
      run.outcome === undefined || run.outcome === 'completed'
        ? 'info'
        : run.outcome === 'failed' || run.outcome === 'refused'
          ? 'error'
          : 'warning',
    isActive,
    links,
  };
}

/** Opens what a link of the outcome names. Rejects as the command that opens it. */
export async function openRunLink(run: RunRecord, link: RunLink): Promise<void> {
  const { id, connection, logId, affected } = run;
  const open = async (kind: string, resource: string | undefined): Promise<void> => {
    if (resource !== undefined)
      await vscode.commands.executeCommand('smartObjects.openResource', { connection, kind, id: resource });
  };
  if (link === 'run') await vscode.commands.executeCommand('smartObjects.showRuns', id);
  else if (link === 'changes') await vscode.commands.executeCommand('smartObjects.openRunDiff', id);
  else if (link === 'log') await open('action-logs', logId);
  else await open('objects', affected[0]?.id);
}

/** The actions of the template, and the present one; all kinds if the template is not known. */
export function listKinds(template: JsonObject | undefined, kind: string): FormState['kinds'] {
  const actions = listTemplateActions(template, kind !== 'mint').slice(0, 50);
  const all = actions.some(({ name }) => name === kind) ? actions : [{ name: kind, alias: undefined }, ...actions];
  return all.map(({ name, alias }) => ({
    value: name.slice(0, 300),
    label: formatLine(alias === undefined || alias === name ? name : `${alias} (${name})`, 120),
  }));
}
