/**
 * Pure: snapshots as files, one each, so that no window writes over another's. A name tells all but the text: hashes of
 * the connection and of the resource, the moment, the bytes, and a hash of the text that a torn file does not match.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { MOST_EACH, type Snapshot } from './snapshot-memory.ts';

/** Where a resource stands; another base URL is another platform. */
export interface Place {
  readonly connection: string;
  readonly baseUrl: string;
  readonly kind: string;
  readonly id: string;
}

export interface Kept {
  readonly place: Place;
  readonly snapshot: Snapshot;
}

export interface FileLimits {
  /** of one resource */
  readonly each: number;
  /** of all together */
  readonly files: number;
  readonly bytes: number;
  /** milliseconds */
  readonly age: number;
}

const LIMITS: FileLimits = { each: MOST_EACH, files: 4000, bytes: 32 * 1024 * 1024, age: 30 * 24 * 60 * 60 * 1000 };
const NAME = /^([\da-f]{16}-[\da-f]{32})-(\d{13})-(\d+)-([\da-f]{16})\.json$/;

interface Named {
  readonly name: string;
  readonly resource: string;
  readonly readAt: number;
  readonly bytes: number;
  readonly hash: string;
}

export class SnapshotFiles {
  readonly #folder: string;
  readonly #limits: FileLimits;

  constructor(folder: string, limits: Partial<FileLimits> = {}) {
    this.#folder = folder;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Writes what is new, and removes what is too much or too old. Throws what the file system says. */
  async add(all: readonly Kept[], now = Date.now()): Promise<void> {
    await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const known = await this.#names();
    const texts = new Map<string, string>();
    for (const { place, snapshot } of all) {
      const next = named(place, snapshot);
      const before = known.findLast(({ resource, readAt }) => resource === next.resource && readAt <= next.readAt);
      if (before?.hash === next.hash || next.bytes > this.#limits.bytes / 8) continue;
      known.push(next);
      known.sort(byTime);
      texts.set(next.name, snapshot.text);
    }
    const stay = this.#within(known, now);
    for (const { name } of known) {
      const text = texts.get(name);
      if (!stay.has(name)) await fs.rm(this.#path(name), { force: true });
      else if (text !== undefined) await fs.writeFile(this.#path(name), text, { mode: 0o600 });
    }
  }

  /** At the window's end, when nothing can be waited for; the limits are held the next time. */
  addNow(all: readonly Kept[]): void {
    if (all.length > 0) mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const { place, snapshot } of all)
      writeFileSync(this.#path(named(place, snapshot).name), snapshot.text, { mode: 0o600 });
  }

  /** The latest first. What is torn or too old is passed over. */
  async of(place: Place, now = Date.now()): Promise<readonly Snapshot[]> {
    const prefix = resourceOf(place);
    const own = (await this.#names()).filter(({ resource }) => resource === prefix).reverse();
    const read = await Promise.all(
      own.map(async ({ name, readAt, hash }): Promise<readonly Snapshot[]> => {
        const text = await fs.readFile(this.#path(name), 'utf8').catch(() => '');
        return now - readAt <= this.#limits.age && hashOf(text, 16) === hash ? [{ readAt, text }] : [];
      }),
    );
    return read.flat();
  }

  async forget(connection: string): Promise<void> {
    const prefix = hashOf(connection, 16);
    for (const { name } of await this.#names())
      if (name.startsWith(prefix)) await fs.rm(this.#path(name), { force: true });
  }

  /** The oldest first; none where there is no folder yet. */
  async #names(): Promise<Named[]> {
    const names = await fs.readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => parsed(name) ?? []).sort(byTime);
  }

  /** The latest that fit. */
  #within(known: readonly Named[], now: number): ReadonlySet<string> {
    const stay = new Set<string>();
    const each = new Map<string, number>();
    let bytes = 0;
    for (const { name, resource, readAt, bytes: size } of known.toReversed()) {
      const count = (each.get(resource) ?? 0) + 1;
      if (count > this.#limits.each || now - readAt > this.#limits.age) continue;
      bytes += size;
      if (bytes > this.#limits.bytes || stay.size >= this.#limits.files) break;
      each.set(resource, count);
      stay.add(name);
    }
    return stay;
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

function byTime(one: Named, other: Named): number {
  return one.readAt - other.readAt;
}

function named(place: Place, { readAt, text }: Snapshot): Named {
  const resource = resourceOf(place);
  const bytes = Buffer.byteLength(text);
  const hash = hashOf(text, 16);
  const moment = String(readAt).padStart(13, '0');
  return { name: `${resource}-${moment}-${String(bytes)}-${hash}.json`, resource, readAt, bytes, hash };
}

function parsed(name: string): Named | undefined {
  const [, resource, readAt, bytes, hash] = NAME.exec(name) ?? [];
  if (resource === undefined || hash === undefined) return undefined;
  return { name, resource, readAt: Number(readAt), bytes: Number(bytes), hash };
}

/** All of a connection begin alike, whatever its base URL was. */
function resourceOf({ connection, baseUrl, kind, id }: Place): string {
  return `${hashOf(connection, 16)}-${hashOf(JSON.stringify([baseUrl, kind, id]), 32)}`;
}

function hashOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
