/** Injections from the fixture: each form of an address at each position where HTML parsers differ. */
import fs from 'node:fs';
import path from 'node:path';

export interface Injection {
  readonly carrier: string;
  readonly wrapper: string;
  readonly content: string;
}

interface Fixture {
  readonly carriers: readonly string[];
  readonly wrappers: readonly string[];
}

const FILE = path.resolve(import.meta.dirname, '../fixtures/injections.json');

export function injections(address: string): readonly Injection[] {
  const { carriers, wrappers } = JSON.parse(fs.readFileSync(FILE, 'utf8')) as Fixture;
  return wrappers.flatMap((wrapper) =>
    carriers.map((carrier) => ({ carrier, wrapper, content: createInjection(carrier, wrapper, address) })),
  );
}

export function createInjection(carrier: string, wrapper: string, address: string): string {
  const markup = carrier.replaceAll('@', address);
  const escaped = markup.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return wrapper.replace(/[@%]/g, (place) => (place === '%' ? escaped : markup));
}
