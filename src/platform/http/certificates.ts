/** Loads the trusted certificate authorities: Node's own, the system's, NODE_EXTRA_CA_CERTS and those of the settings. */
import { readFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { stored, type Message } from '../text/message.ts';
import type { NetworkSettings } from './transport.ts';

/** Sources of certificates as PEM texts; replaced in tests. */
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

export interface CertificateAuthorities {
  /** PEM, one certificate each, without duplicates */
  readonly pem: readonly string[];
  /** sentences about unreadable sources, for the message of a failed handshake */
  readonly hints: readonly Message[];
}

/**
 * Loads all trusted authorities. Never rejects: an unreadable source is named in `hints`, and the others are used. Slow
 * (the system's store, a file): call it once, on the first TLS connection.
 */
export async function loadCertificateAuthorities(
  settings: Pick<NetworkSettings, 'certificates' | 'environment'>,
  sources: CertificateSources = NODE_SOURCES,
): Promise<CertificateAuthorities> {
  const hints: Message[] = [];
  const configured = parseCertificates((settings.certificates ?? []).join('\n'));
  if (configured.unreadable > 0) hints.push(stored('A certificate in smartObjects.caCertificates could not be read.'));
  const extra = await readExtraAuthorities(settings.environment ?? process.env, sources, hints);
  const pem = new Set([...sources.bundled(), ...readSystemAuthorities(sources, hints), ...extra, ...configured.pem]);
  return { pem: [...pem], hints };
}

function readSystemAuthorities(sources: CertificateSources, hints: Message[]): readonly string[] {
  try {
    return sources.system();
  } catch {
    hints.push(stored('The system’s certificate authorities could not be read.'));
    return [];
  }
}

async function readExtraAuthorities(
  environment: Readonly<Record<string, string | undefined>>,
  sources: CertificateSources,
  hints: Message[],
): Promise<readonly string[]> {
  const path = environment['NODE_EXTRA_CA_CERTS'] ?? '';
  if (path === '') return [];
  try {
    const found = parseCertificates(await sources.file(path));
    if (found.unreadable === 0) return found.pem;
    hints.push(stored('A certificate in the NODE_EXTRA_CA_CERTS file could not be read.'));
    return found.pem;
  } catch {
    hints.push(stored('The NODE_EXTRA_CA_CERTS file could not be read.'));
    return [];
  }
}

/** Splits PEM text into certificates. Counts broken ones, and text without any, as unreadable. */
export function parseCertificates(text: string): { readonly pem: readonly string[]; readonly unreadable: number } {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const beginMarkers = text.split('-----BEGIN').length - 1;
  const pem = blocks.filter(isCertificate);
  const unreadable = Math.max(beginMarkers, text.trim() === '' ? 0 : 1) - pem.length;
  return { pem, unreadable };
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
