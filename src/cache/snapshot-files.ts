/**
 * Snapshots as files, one each, so that windows do not overwrite each other's. The file name contains hashes of the
 * connection and the resource, the time, the size, and a hash of the text that detects partial files.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile, writePrivateFileSync } from '../model/files/write-file.ts';
import { MAX_SNAPSHOTS_PER_RESOURCE, type Snapshot } from './snapshot-memory.ts';

/** Identifies a resource; another base URL is another platform. */
export interface ResourceLocation {
  readonly connection: string;
  readonly baseUrl: string;
  readonly kind: string;
  readonly id: string;
}

export interface StoredSnapshot {
  readonly location: ResourceLocation;
  readonly snapshot: Snapshot;
}

export interface SnapshotLimits {
  /** of one resource */
  readonly perResource: number;
  /** of all resources */
  readonly files: number;
  readonly bytes: number;
  /** milliseconds */
  readonly age: number;
}

const DEFAULT_LIMITS: SnapshotLimits = {
  perResource: MAX_SNAPSHOTS_PER_RESOURCE,
  files: 4000,
  bytes: 32 * 1024 * 1024,
  age: 30 * 24 * 60 * 60 * 1000,
};
const FILE_NAME_PATTERN = /^([\da-f]{16}-[\da-f]{32})-(\d{13})-(\d+)-([\da-f]{16})\.json$/;

interface SnapshotFileName {
  readonly fileName: string;
  readonly resourceHash: string;
  readonly readAt: number;
  readonly bytes: number;
  readonly hash: string;
}

/** Reads and writes snapshot files in one folder, within the limits. */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #limits: SnapshotLimits;

  constructor(folder: string, limits: Partial<SnapshotLimits> = {}) {
    this.#folder = folder;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** Writes new snapshots, and removes those over the limits. Rejects with the file-system error. */
  async add(all: readonly StoredSnapshot[], now = Date.now()): Promise<void> {
    const known = await this.#list();
    const texts = new Map<string, string>();
    for (const { location: place, snapshot } of all) {
      const next = formatFileName(place, snapshot);
      const previous = known.findLast(
        ({ resourceHash, readAt }) => resourceHash === next.resourceHash && readAt <= next.readAt,
      );
      if (previous?.hash === next.hash || next.bytes > this.#limits.bytes / 8) continue;
      known.push(next);
      known.sort(compareTimes);
      texts.set(next.fileName, snapshot.text);
    }
    const retained = this.#selectWithinLimits(known, now);
    for (const { fileName: name } of known) {
      const text = texts.get(name);
      if (!retained.has(name)) await fs.rm(this.#path(name), { force: true });
      else if (text !== undefined) await writePrivateFile(this.#path(name), text);
    }
  }

  /** Writes synchronously at shutdown; limits are applied at the next write. */
  addSync(all: readonly StoredSnapshot[]): void {
    for (const { location: place, snapshot } of all)
      writePrivateFileSync(this.#path(formatFileName(place, snapshot).fileName), snapshot.text);
  }

  /** Returns the snapshots of a resource, newest first. Skips damaged and expired files. Never rejects. */
  async read(place: ResourceLocation, now = Date.now()): Promise<readonly Snapshot[]> {
    const prefix = hashResource(place);
    const files = (await this.#list()).filter(({ resourceHash }) => resourceHash === prefix).reverse();
    const read = await Promise.all(
      files.map(async ({ fileName: name, readAt, hash }): Promise<readonly Snapshot[]> => {
        const text = await fs.readFile(this.#path(name), 'utf8').catch(() => '');
        return now - readAt <= this.#limits.age && hashText(text, 16) === hash ? [{ readAt, text }] : [];
      }),
    );
    return read.flat();
  }

  /** Removes the snapshots of a connection. Rejects with the file-system error. */
  async forget(connection: string): Promise<void> {
    const prefix = hashText(connection, 16);
    for (const { fileName: name } of await this.#list())
      if (name.startsWith(prefix)) await fs.rm(this.#path(name), { force: true });
  }

  /** Lists the snapshot files, oldest first; empty if the folder does not exist. */
  async #list(): Promise<SnapshotFileName[]> {
    const names = await fs.readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => parseFileName(name) ?? []).sort(compareTimes);
  }

  /** Selects the newest files within the limits. */
  #selectWithinLimits(known: readonly SnapshotFileName[], now: number): ReadonlySet<string> {
    const retained = new Set<string>();
    const counts = new Map<string, number>();
    let bytes = 0;
    for (const { fileName: name, resourceHash: resource, readAt, bytes: size } of known.toReversed()) {
      const count = (counts.get(resource) ?? 0) + 1;
      if (count > this.#limits.perResource || now - readAt > this.#limits.age) continue;
      bytes += size;
      if (bytes > this.#limits.bytes || retained.size >= this.#limits.files) break;
      counts.set(resource, count);
      retained.add(name);
    }
    return retained;
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

function compareTimes(one: SnapshotFileName, other: SnapshotFileName): number {
  return one.readAt - other.readAt;
}

function formatFileName(place: ResourceLocation, { readAt, text }: Snapshot): SnapshotFileName {
  const resource = hashResource(place);
  const bytes = Buffer.byteLength(text);
  const hash = hashText(text, 16);
  const timestamp = String(readAt).padStart(13, '0');
  return {
    fileName: `${resource}-${timestamp}-${String(bytes)}-${hash}.json`,
    resourceHash: resource,
    readAt,
    bytes,
    hash,
  };
}

function parseFileName(name: string): SnapshotFileName | undefined {
  const [, resource, readAt, bytes, hash] = FILE_NAME_PATTERN.exec(name) ?? [];
  if (resource === undefined || hash === undefined) return undefined;
  return { fileName: name, resourceHash: resource, readAt: Number(readAt), bytes: Number(bytes), hash };
}

/** Common file-name prefix of a connection, for any base URL. */
function hashResource({ connection, baseUrl, kind, id }: ResourceLocation): string {
  return `${hashText(connection, 16)}-${hashText(JSON.stringify([baseUrl, kind, id]), 32)}`;
}

function hashText(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
