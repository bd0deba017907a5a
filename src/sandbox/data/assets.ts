/** Stored files, and their bytes: the server really serves every one of them. */
import { assetFolders } from '../../platform/resources/assets.ts';
import { sha256 } from '../random.ts';
import type { Item } from '../collection.ts';
import { catalogue } from './catalogue.ts';
import { at, iso, table, type Context } from './context.ts';
import { jpeg, png, poster, type Colour } from './images.ts';
import type { Organization } from './organizations.ts';
import type { Account } from './wallets.ts';

const COUNT = 48;
const PROVIDERS = ['s3', 'ipfs', 'gcs'] as const;
const WORDS = ['pier', 'ridge', 'lantern', 'fjord', 'larch', 'kelp', 'granite', 'gull'] as const;

export interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly isPublic: boolean;
}

function colour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** The first are the templates' posters, as SVG; PNG and JPEG pictures in the same colours follow. */
function makeFile(index: number): StoredFile {
  const plan = at(catalogue, index);
  const [from, to] = plan.colours;
  if (index < catalogue.length) {
    const bytes = Buffer.from(poster(plan.name, from, to, index));
    return { name: `${plan.slug}.svg`, type: 'image/svg+xml', bytes, isPublic: true };
  }
  const name = `${at(WORDS, index)}-${index}`;
  const isPublic = index % 5 !== 3;
  if (index % 2 === 0)
    return { name: `${name}.png`, type: 'image/png', bytes: png(120, 80, colour(from), colour(to)), isPublic };
  return { name: `${name}.jpg`, type: 'image/jpeg', bytes: jpeg(12, colour(from), colour(to)), isPublic };
}

export interface Assets {
  readonly source: ReturnType<typeof table>;
  file(id: string): StoredFile | undefined;
  /** path below the base URL */
  pathOf(index: number): string;
  /** the embedded form */
  reference(index: number): Item;
}

export function makeAssets(
  context: Context,
  organizations: readonly [Organization, ...Organization[]],
  account: (index: number) => Account,
): Assets {
  // Two dozen small files: kept, so that sizes and hashes need not be made again for each list.
  const files = new Map<number, StoredFile>();
  const fileAt = (index: number): StoredFile => {
    let found = files.get(index);
    if (found === undefined) files.set(index, (found = makeFile(index)));
    return found;
  };
  const path = (id: string, file: StoredFile): string => `/files/${id}/${encodeURIComponent(file.name)}`;
  const folderOf = (index: number): (typeof assetFolders)[number] =>
    index < catalogue.length ? 'assets' : at(assetFolders, index);
  const source = table(context, {
    prefix: 'ast',
    size: COUNT,
    days: 130,
    make: ({ index, id, created }) => {
      const file = fileAt(index);
      const folder = folderOf(index);
      return {
        id,
        wallet_id: account(index).id,
        org_id: at(organizations, index).id,
        name: file.name,
        tag: index < catalogue.length ? 'poster' : at(WORDS, index),
        url: context.url(path(id, file)),
        path: `${at(PROVIDERS, index)}://sandbox/${folder}/${id}`,
        size: file.bytes.length,
        provider: at(PROVIDERS, index),
        folder,
        ...((!file.isPublic || index % 3 !== 1) && { is_public: file.isPublic }),
        type: file.type,
        ...(index % 4 !== 2 && { hash: sha256(file.bytes.toString('latin1')) }),
        when_created: iso(created),
      };
    },
  });
  return {
    source,
    file(id) {
      const index = source.indexOf(id);
      return index === undefined || index >= COUNT ? undefined : fileAt(index);
    },
    pathOf: (index) => path(source.idAt(index % COUNT), fileAt(index % COUNT)),
    reference(index) {
      const place = index % COUNT;
      const file = fileAt(place);
      return {
        id: source.idAt(place),
        ...(place % 7 !== 6 && { name: file.name, type: file.type }),
        url: context.url(path(source.idAt(place), file)),
        ...(place % 4 === 0 && { hash: sha256(file.bytes.toString('latin1')) }),
        ...(place % 3 !== 1 && { is_public: file.isPublic }),
        ...(place % 2 === 0 && { when_created: iso(source.createdAt(place)) }),
      };
    },
  };
}

/** Files that are addressed by name alone. */
export function namedFile(name: string): StoredFile | undefined {
  if (name === 'avatar.svg') {
    const bytes = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="32" fill="#1fa2a6"/>' +
        '<circle cx="32" cy="25" r="11" fill="#fff"/><path d="M10 58a22 20 0 0 1 44 0z" fill="#fff"/></svg>',
    );
    return { name, type: 'image/svg+xml', bytes, isPublic: true };
  }
  if (name === 'screenshot.png')
    return { name, type: 'image/png', bytes: png(160, 100, [226, 232, 240], [148, 163, 184]), isPublic: true };
  return undefined;
}
