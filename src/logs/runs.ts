/** The runs that action files have had in this workspace, as their history is kept: which action each one was. */
import * as vscode from 'vscode';
import * as z from 'zod/mini';

const run = z.object({
  id: z.string(),
  name: z.string(),
  file: z.optional(z.string()),
  connection: z.string(),
  started: z.number(),
  outcome: z.optional(z.string()),
  actionId: z.optional(z.string()),
  logId: z.optional(z.string()),
  steps: z.optional(z.array(z.object({ error: z.optional(z.string()) }))),
  affected: z.optional(
    z.array(
      z.object({
        id: z.string(),
        previousRoot: z.optional(z.string()),
        nextRoot: z.optional(z.string()),
        before: z.optional(z.string()),
        after: z.optional(z.string()),
      }),
    ),
  ),
});
export type KeptRun = z.output<typeof run>;

/** Newest first; none where nothing was run, or what is kept cannot be read. */
export async function keptRuns(context: vscode.ExtensionContext): Promise<readonly KeptRun[]> {
  const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'runs');
  try {
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    const read = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => readRun(vscode.Uri.joinPath(folder, name))),
    );
    return read.filter((kept) => kept !== undefined).sort((a, b) => b.started - a.started);
  } catch {
    return [];
  }
}

async function readRun(uri: vscode.Uri): Promise<KeptRun | undefined> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    const { success, data } = run.safeParse(value);
    return success ? data : undefined;
  } catch {
    return undefined;
  }
}

/** The file's name is what a run is told by; its path tells two of the same name apart. */
export function runsOfFile(runs: readonly KeptRun[], file: string): readonly KeptRun[] {
  return runs.filter((kept) => kept.file === file || (kept.file === undefined && kept.name === file));
}

/** The actions of runs, for a filter: at most 20, the newest; of one connection. */
export function actionsOf(
  runs: readonly KeptRun[],
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
