import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { getRunsFolder } from '../../model/runs/run-files.ts';
import type { RunRecord } from '../../model/runs/run-record.ts';
import { openWorkspaceStorage } from '../../model/files/workspace-storage.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { parseRunRecord } from '../../model/runs/parse-run-record.ts';

/** Reads all runs, newest first; files that hold no run are left out. Never rejects. */
export async function readRunRecords(context: vscode.ExtensionContext): Promise<readonly RunRecord[]> {
  const folder = getRunsFolder(await openWorkspaceStorage(context, vscode.workspace));
  const names = await fs.readdir(folder).catch(() => []);
  const records = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => readRunRecord(path.join(folder, name))),
  );
  return records.filter((record) => record !== undefined).sort((a, b) => b.started - a.started);
}

/** Reads all runs as `readRunRecords`, each with where it came from: its file, or its name, and the commit. Never rejects. */
export async function readLabelledRuns(
  context: vscode.ExtensionContext,
): Promise<readonly (RunRecord & { readonly label: string })[]> {
  return (await readRunRecords(context)).map((run) => ({ ...run, label: formatRunSource(run) }));
}

async function readRunRecord(file: string): Promise<RunRecord | undefined> {
  try {
    return parseRunRecord(JSON.parse(await fs.readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function formatRunSource({ file, name, commit }: RunRecord): string {
  const source = file === undefined ? name : vscode.workspace.asRelativePath(vscode.Uri.parse(file), false);
  return toPlainText([source, ...(commit === undefined ? [] : [commit.slice(0, 8)])].join(' · '), 160);
}

/** Returns the runs of an action file, given by the URI or name that runs record. */
export function getRunsOfFile(runs: readonly RunRecord[], file: string): readonly RunRecord[] {
  return runs.filter((record) => record.file === file || (record.file === undefined && record.name === file));
}

/** Returns the action ids of the newest runs on one connection, at most 20; `undefined` if no run has one. */
export function getActionIds(
  runs: readonly RunRecord[],
): { readonly connection: string; readonly actions: string[] } | undefined {
  const sent = runs.flatMap(({ connection, actionId, logId }) => {
    const id = actionId ?? logId;
    return id === undefined || id === '' || id.length > 300 ? [] : [{ connection, id }];
  });
  const [first] = sent;
  if (first === undefined) return undefined;
  const own = sent.filter(({ connection }) => connection === first.connection).map(({ id }) => id);
  return { connection: first.connection, actions: [...new Set(own)].slice(0, 20) };
}
