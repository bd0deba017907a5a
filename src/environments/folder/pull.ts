/** Compares a folder with the platform in three ways (when pulled, now, in the folder), and pulls what changed. */
import * as l10n from '@vscode/l10n';
import fs from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../model/files/write-file.ts';
import { assignFileNames } from '../../model/pulled/file-names.ts';
import {
  formatManifest,
  getPulledName,
  hashText,
  locatePulledFile,
  MANIFEST_FILE,
  PULLED_KINDS,
  readManifest,
  readPulledFile,
  type PulledEntry,
  type PulledManifest,
} from '../../model/pulled/pulled-folder.ts';
import { getErrorMessage } from '../../model/text/error-message.ts';
import type { PlatformFiles } from './read-organization.ts';

/** Since the last pull, it changed: nowhere, on the platform, in the folder, or in both in different ways. */
export type FileState = 'current' | 'platform' | 'local' | 'both';

export interface FileStatus {
  readonly entry: Pick<PulledEntry, 'kind' | 'id' | 'name' | 'file'>;
  readonly state: FileState;
  /** what the platform has; `undefined` if it was deleted there, or could not be read */
  readonly platformText: string | undefined;
  /** hashes when pulled, on the platform and in the folder; `undefined`: no such file */
  readonly base: string | undefined;
  readonly platform: string | undefined;
  readonly local: string | undefined;
  /** why one side could not be read or written: it counts as unchanged on the platform, and as changed in the folder */
  readonly problem: string | undefined;
}

/** What a folder is for: organizations of different environments are never mixed. */
export type PullTarget = Pick<PulledManifest, 'environment' | 'organization'>;

/** A hash that nothing has. */
const UNREADABLE = 'unreadable';

/** Compares the folder with what was read. Rejects with Error if its manifest is invalid, or that of another organization. */
export async function compareFolder(
  root: string,
  target: PullTarget,
  { files, unread }: PlatformFiles,
): Promise<readonly FileStatus[]> {
  const { files: entries } = await requireManifest(root, target);
  const names = new Map(
    PULLED_KINDS.map((kind) => {
      const known = entries
        .filter((entry) => entry.kind === kind)
        .map(({ id, file }) => [id, getPulledName(file)] as const);
      const read = files.filter((file) => file.kind === kind);
      return [
        kind,
        assignFileNames([...new Map(read.map((file) => [file.id, file])).values()], new Map(known)),
      ] as const;
    }),
  );
  const platform = new Map(
    files.map(({ kind, id, name, suffix, text }) => {
      const file = `${kind}/${names.get(kind)?.get(id) ?? ''}${suffix}`;
      return [file, { entry: { kind, id, name, file }, text }] as const;
    }),
  );
  const bases = new Map(entries.map((entry) => [entry.file, entry]));
  const statuses: FileStatus[] = [];
  for (const file of [...new Set([...bases.keys(), ...platform.keys()])].sort()) {
    const [base, now] = [bases.get(file), platform.get(file)];
    const entry = now?.entry ?? base;
    if (entry === undefined) continue;
    const missed = now === undefined ? (unread.get(`${entry.kind}/${entry.id}`) ?? unread.get(entry.kind)) : undefined;
    const local = await readLocal(root, entry);
    const hashes = {
      base: base?.hash,
      platform: missed === undefined ? now && hashText(now.text) : base?.hash,
      local: local.hash,
    };
    if (hashes.platform === undefined && hashes.local === undefined) continue;
    const { kind, id, name } = entry;
    const problem = missed ?? local.problem;
    statuses.push({
      entry: { kind, id, name, file },
      state: getState(hashes),
      platformText: now?.text,
      ...hashes,
      problem,
    });
  }
  return statuses;
}

function getState({ base, platform, local }: Readonly<Record<'base' | 'platform' | 'local', string | undefined>>) {
  if (platform === local) return 'current';
  if (platform === base) return 'local';
  return local === base ? 'platform' : 'both';
}

async function readLocal(
  root: string,
  entry: Pick<PulledEntry, 'file'>,
): Promise<{ readonly hash?: string; readonly problem?: string }> {
  try {
    const text = await readPulledFile(root, entry);
    return text === undefined ? {} : { hash: hashText(text) };
  } catch (error) {
    return { hash: UNREADABLE, problem: getErrorMessage(error) };
  }
}

/** Reads what was pulled before. Rejects with Error if the manifest is invalid, or that of another organization. */
export async function requireManifest(root: string, target: PullTarget): Promise<PulledManifest> {
  const manifest = await readManifest(root);
  if (
    manifest !== undefined &&
    (manifest.organization !== target.organization || manifest.environment !== target.environment)
  )
    throw new Error(
      l10n.t(
        'The folder contains the files of another organization or environment ({0}). Select another folder',
        [manifest.environment ?? '', manifest.organization].join(' ').trim(),
      ),
    );
  return manifest ?? { version: 1, ...target, files: [] };
}

/**
 * Writes what changed on the platform only; other files, and those that were deleted there, stay. Resolves with the files
 * written and those that could not be, with the reason. Rejects as `compareFolder` does, or if the manifest cannot be written.
 */
export async function pullFiles(
  root: string,
  target: PullTarget,
  statuses: readonly FileStatus[],
): Promise<{ readonly written: readonly string[]; readonly failed: ReadonlyMap<string, string> }> {
  const written: string[] = [];
  const failed = new Map<string, string>();
  for (const status of statuses)
    if (status.state === 'platform' && status.platformText !== undefined)
      try {
        await writePulledFile(root, status);
        written.push(status.entry.file);
      } catch (error) {
        failed.set(status.entry.file, getErrorMessage(error));
      }
  const isPulled = new Set(written);
  const manifest = await requireManifest(root, target);
  const files = statuses.flatMap(({ entry, state, platform, base }): readonly PulledEntry[] => {
    const hash = state === 'current' || isPulled.has(entry.file) ? platform : base;
    return hash === undefined ? [] : [{ ...entry, hash }];
  });
  await writeManifest(root, { ...manifest, files });
  return { written, failed };
}

/**
 * Settles one file: `platform` replaces it with what the platform has, `local` keeps it, and counts what the platform has
 * as pulled. Rejects with Error if it cannot be written.
 */
export async function settleFile(
  root: string,
  target: PullTarget,
  status: FileStatus,
  version: 'platform' | 'local',
): Promise<void> {
  const { entry, platform } = status;
  if (version === 'platform') {
    if (status.platformText === undefined)
      throw new Error(status.problem ?? l10n.t('{0} is not on the platform', entry.file));
    await writePulledFile(root, status);
  }
  const manifest = await requireManifest(root, target);
  const others = manifest.files.filter(({ file }) => file !== entry.file);
  await writeManifest(root, {
    ...manifest,
    files: platform === undefined ? others : [...others, { ...entry, hash: platform }],
  });
}

/** Rejects with Error, also if the file changed since it was compared. */
async function writePulledFile(root: string, { entry, local, platformText = '' }: FileStatus): Promise<void> {
  if ((await readLocal(root, entry)).hash !== local) throw new Error(l10n.t('the file changed in the meantime'));
  await fs.mkdir(path.join(root, path.posix.dirname(entry.file)), { recursive: true });
  await replaceFile(await locatePulledFile(root, entry.file), platformText);
}

/** Writes nothing if it is the same. */
async function writeManifest(root: string, manifest: PulledManifest): Promise<void> {
  const text = formatManifest(manifest);
  const before = await readPulledFile(root, { file: MANIFEST_FILE });
  if (before !== undefined && hashText(before) === hashText(text)) return;
  await fs.mkdir(root, { recursive: true });
  await replaceFile(await locatePulledFile(root, MANIFEST_FILE), text);
}
