/** A test certificate authority and the certificates that it issues. */
import { generate } from 'selfsigned';
import type { KeyPair } from './servers.ts';

export interface TestCertificateAuthority {
  /** PEM */
  readonly certificate: string;
  /** Issues a certificate for DNS names and addresses. `days`: validity relative to now. */
  issue(names: readonly string[], days?: { readonly from: number; readonly to: number }): Promise<KeyPair>;
}

const DAY = 86_400_000;

/** Creates a self-signed authority. */
export async function createCertificateAuthority(name = 'Test Authority'): Promise<TestCertificateAuthority> {
  const authority = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    certificate: authority.cert,
    issue: async (names, days = { from: -1, to: 1 }) => {
      const altNames = names.map((value) =>
        /^[\d.]+$/.test(value) ? ({ type: 7, ip: value } as const) : ({ type: 2, value } as const),
      );
      const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? 'nobody' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        notBeforeDate: new Date(Date.now() + days.from * DAY),
        notAfterDate: new Date(Date.now() + days.to * DAY),
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames },
        ],
      });
      return { key, cert };
    },
  };
}

let shared: Promise<TestCertificateAuthority> | undefined;

/** An authority shared by tests. */
export function getTestCertificateAuthority(): Promise<TestCertificateAuthority> {
  return (shared ??= createCertificateAuthority());
}
