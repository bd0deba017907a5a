/** What the galleries of extensions accept and show: manifest, README, files of the package. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../support/doc-examples.ts';
import { readManifest } from '../support/manifest.ts';

/** Those of VS Code that fit what an extension like this can be. */
const CATEGORIES = ['AI', 'Education', 'Notebooks', 'Other', 'Testing', 'Visualization'];
const MAX_KEYWORDS = 30;

const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');
const url = z.url({ protocol: /^https$/ });
/** The limits of Open VSX, which are those of the Marketplace or narrower. */
const gallerySchema = z.looseObject({
  name: z.string().check(z.regex(/^[\w-]+$/), z.maxLength(255)),
  publisher: z.string().check(z.regex(/^[\w-]+$/), z.maxLength(255)),
  displayName: z.string().check(z.maxLength(255), z.regex(/^\P{C}+$/u)),
  description: z.string().check(z.maxLength(200), z.regex(/^\P{C}+$/u)),
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+$/)),
  license: z.literal('MIT'),
  icon: z.string().check(z.endsWith('.png')),
  homepage: url,
  repository: z.object({ type: z.literal('git'), url }),
  bugs: z.object({ url }),
  pricing: z.literal('Free'),
  categories: z.array(z.enum(CATEGORIES)).check(z.minLength(1)),
  keywords: z.array(z.string().check(z.maxLength(255))).check(z.minLength(1), z.maxLength(MAX_KEYWORDS)),
  galleryBanner: z.strictObject({
    color: z.string().check(z.regex(/^#[\da-f]{6}$/)),
    theme: z.enum(['dark', 'light']),
  }),
  badges: z.array(z.object({ description: z.string(), href: url, url })),
  contributes: z.looseObject({
    configuration: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
  }),
});
const manifest = z.parse(gallerySchema, readManifest());
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...fs.globSync('docs/*.md', { cwd: ROOT }),
];

suite('galleries', () => {
  test('the manifest asks for no sponsor', () => {
    assert.equal('sponsor' in manifest, false);
    assert.equal(new Set(manifest.keywords).size, manifest.keywords.length);
  });

  test('the changelog has the form of Keep a Changelog, and begins with the version of the manifest', () => {
    const changelog = read('CHANGELOG.md');
    const sections = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
    if (sections[0] === '[Unreleased]') sections.shift();
    assert.ok(sections[0]?.startsWith(`[${manifest.version}] - `), 'the version of the manifest comes first');
    for (const section of sections) {
      const version = /^\[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/.exec(section)?.[1];
      assert.ok(version !== undefined && changelog.includes(`\n[${version}]: https://`), section);
    }
    const groups = [...changelog.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
    for (const group of groups)
      assert.ok(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'].includes(group), group);
  });

  test('links of the pages lead to existing files and headings', () => {
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? page : path.join(path.dirname(page), file);
        assert.ok(fs.existsSync(path.join(ROOT, linked)), `${page}: ${target}`);
        if (anchor !== undefined) assert.ok(listAnchors(linked).includes(anchor), `${page}: ${target}`);
      }
    }
  });

  test('the settings that the README lists exist', () => {
    const listed = [...read('README.md').matchAll(/^\| `(smartObjects\.[\w.]+)`/gm)].map(([, name = '']) => name);
    assert.ok(listed.length > 10);
    const known = Object.keys(manifest.contributes.configuration.properties);
    assert.deepEqual(
      listed.filter((name) => !known.includes(name)),
      [],
    );
  });

  test('pictures of the README come from the repository, and the package leaves them out', () => {
    const pictures = [...read('README.md').matchAll(/!\[([^\]]+)\]\((media\/[^)]+)\)/g)];
    assert.ok(pictures.length > 0);
    const packed = [...read('.vscodeignore').matchAll(/^!(.+)$/gm)].map(([, pattern = '']) => pattern);
    for (const [, alternative = '', file = ''] of pictures) {
      assert.ok(alternative.length > 10, file);
      assert.ok(fs.statSync(path.join(ROOT, file)).size < 1_000_000, file);
      for (const pattern of packed) assert.equal(path.matchesGlob(file, pattern), false, `${pattern} packs ${file}`);
    }
  });
});

function listAnchors(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
