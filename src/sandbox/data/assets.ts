/** Stored files and their content. */
import path from 'node:path';
import { assetFolders } from '../../platform/resources/assets.ts';
import { sha256 } from '../generation/random.ts';
import type { Item } from '../generation/collection.ts';
import { catalogue } from './template-catalogue.ts';
import {
  pickCyclic,
  formatIso,
  createGeneratedSource,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { readStaticFile } from '../static-files.ts';
import type { Organization } from './organizations.ts';
import type { Account } from './wallets.ts';

const COUNT = 48;
const PROVIDERS = ['s3', 'ipfs', 'gcs'] as const;
const WORDS = ['pier', 'ridge', 'lantern', 'fjord', 'larch', 'kelp', 'granite', 'gull'] as const;

interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly isPublic: boolean;
}

function readPicture(file: string, name: string, isPublic = true): StoredFile {
  const type = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg' }[path.extname(file).slice(1)] ?? '';
  return { name, type, bytes: readStaticFile(`${file.endsWith('.svg') ? 'posters' : 'pictures'}/${file}`), isPublic };
}

/** The first files are the templates' posters, as SVG; PNG and JPEG pictures in their colours follow. */
function readFile(index: number): StoredFile {
  const { slug } = pickCyclic(catalogue, index);
  if (index < catalogue.length) return readPicture(`${slug}.svg`, `${slug}.svg`);
  const extension = index % 2 === 0 ? 'png' : 'jpg';
  const name = `${pickCyclic(WORDS, index)}-${index}.${extension}`;
  return readPicture(`${slug}.${extension}`, name, index % 5 !== 3);
}

export interface Assets {
  readonly source: ReturnType<typeof createGeneratedSource>;
  file(id: string): StoredFile | undefined;
  /** The path below the base URL. */
  getPath(index: number): string;
  /** The reference that other resources embed. */
  createReference(index: number): Item;
  /** The reference to a public PNG or JPEG picture in the colours of a template. */
  createPictureReference(template: number): Item;
}

/** The source of assets, and access to their files. */
export function createAssets(
  context: GenerationContext,
  organizations: readonly [Organization, ...Organization[]],
  account: (index: number) => Account,
): Assets {
  // Cached, because each list needs sizes and hashes.
  const files = new Map<number, StoredFile>();
  const fileAt = (index: number): StoredFile => {
    let found = files.get(index);
    if (found === undefined) files.set(index, (found = readFile(index)));
    return found;
  };
  const getUrlPath = (id: string, file: StoredFile): string => `/files/${id}/${encodeURIComponent(file.name)}`;
  const getFolder = (index: number): (typeof assetFolders)[number] =>
    index < catalogue.length ? 'assets' : pickCyclic(assetFolders, index);
  const source = createGeneratedSource(context, {
    prefix: 'ast',
    size: COUNT,
    days: 130,
    make: ({ index, id, created }) => {
      const file = fileAt(index);
      const folder = getFolder(index);
      return {
        id,
        wallet_id: account(index).id,
        org_id: pickCyclic(organizations, index).id,
        name: file.name,
        tag: index < catalogue.length ? 'poster' : pickCyclic(WORDS, index),
        url: context.url(getUrlPath(id, file)),
        path: `${pickCyclic(PROVIDERS, index)}://sandbox/${folder}/${id}`,
        size: file.bytes.length,
        provider: pickCyclic(PROVIDERS, index),
        folder,
        ...((!file.isPublic || index % 3 !== 1) && { is_public: file.isPublic }),
        type: file.type,
        ...(index % 4 !== 2 && { hash: sha256(file.bytes.toString('latin1')) }),
        when_created: formatIso(created),
      };
    },
  });
  const createReference = (index: number): Item => {
    const position = index % COUNT;
    const file = fileAt(position);
    return {
      id: source.idAt(position),
      ...(position % 7 !== 6 && { name: file.name, type: file.type }),
      url: context.url(getUrlPath(source.idAt(position), file)),
      ...(position % 4 === 0 && { hash: sha256(file.bytes.toString('latin1')) }),
      ...(position % 3 !== 1 && { is_public: file.isPublic }),
      ...(position % 2 === 0 && { when_created: formatIso(source.createdAt(position)) }),
    };
  };
  return {
    source,
    file(id) {
      const index = source.indexOf(id);
      return index === undefined || index >= COUNT ? undefined : fileAt(index);
    },
    getPath: (index) => getUrlPath(source.idAt(index % COUNT), fileAt(index % COUNT)),
    createReference,
    createPictureReference(template) {
      // The posters are the first files; each colour follows in every round of the catalogue.
      const own = catalogue.length + (template % catalogue.length);
      return createReference(fileAt(own).isPublic ? own : own + catalogue.length);
    },
  };
}

/** The files of URLs without an id. */
export function getNamedFile(name: string): StoredFile | undefined {
  return name === 'avatar.svg' || name === 'screenshot.png' ? readPicture(name, name) : undefined;
}
