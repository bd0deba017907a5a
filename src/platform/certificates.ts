/** Which certificate authorities count: Node's own, the system's, NODE_EXTRA_CA_CERTS and those of the settings. */
import { readFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import type { NetworkSettings } from './transport.ts';

/** Where certificates come from; replaced in tests. Each gives PEM texts. */
export interface CertificateSources {
  bundled(): readonly string[];
  system(): readonly string[];
  /** Rejects as `fs.readFile` does. */
  file(path: string): Promise<string>;
}

const NODE_SOURCES: CertificateSources = {
  bundled: () => tls.rootCertificates,
  system: () => ('getCACertificates' in tls ? tls.getCACertificates('system') : []),
  file: (path) => readFile(path, 'utf8'),
};

export interface Authorities {
  /** one certificate each, PEM, without repeats */
  readonly pem: readonly string[];
  /** sentences about what could not be read, for the message of a failed handshake; empty or starting with a space */
  readonly hint: string;
}

/**
 * Reads every authority that counts. Never rejects: a source that cannot be read is told of in `hint`, so that the
 * others still count. Slow (the system's store, a file): call it once, on the first TLS connection.
 */
export async function loadAuthorities(
  settings: Pick<NetworkSettings, 'certificates' | 'environment'>,
  sources: CertificateSources = NODE_SOURCES,
): Promise<Authorities> {
  const hints: string[] = [];
  const own = certificatesOf((settings.certificates ?? []).join('\n'));
  if (own.unreadable > 0) hints.push(' A certificate under smartObjects.caCertificates could not be read.');
  const extra = await extraAuthorities(settings.environment ?? process.env, sources, hints);
  const pem = new Set([...sources.bundled(), ...systemAuthorities(sources, hints), ...extra, ...own.pem]);
  return { pem: [...pem], hint: hints.join('') };
}

function systemAuthorities(sources: CertificateSources, hints: string[]): readonly string[] {
  try {
    return sources.system();
  } catch {
    hints.push(" The system's certificate authorities could not be read.");
    return [];
  }
}

async function extraAuthorities(
  environment: Readonly<Record<string, string | undefined>>,
  sources: CertificateSources,
  hints: string[],
): Promise<readonly string[]> {
  const path = environment['NODE_EXTRA_CA_CERTS'] ?? '';
  if (path === '') return [];
  try {
    const found = certificatesOf(await sources.file(path));
    if (found.unreadable === 0) return found.pem;
    hints.push(' A certificate in the file that NODE_EXTRA_CA_CERTS names could not be read.');
    return found.pem;
  } catch {
    hints.push(' The file that NODE_EXTRA_CA_CERTS names could not be read.');
    return [];
  }
}

/** Splits PEM text into single certificates; what holds none, or a broken one, is counted as unreadable. */
export function certificatesOf(text: string): { readonly pem: readonly string[]; readonly unreadable: number } {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const begun = text.split('-----BEGIN').length - 1;
  const pem = blocks.filter(isCertificate);
  const unreadable = Math.max(begun, text.trim() === '' ? 0 : 1) - pem.length;
  return { pem, unreadable };
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
