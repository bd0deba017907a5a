/** A certificate authority of our own, and certificates that it signs; made when first asked for. */
import { generate } from 'selfsigned';
import type { KeyPair } from './servers.ts';

export interface TestAuthority {
  /** PEM */
  readonly certificate: string;
  /** For these DNS names and addresses. */
  issue(names: readonly string[], days?: { readonly from: number; readonly to: number }): Promise<KeyPair>;
}

const DAY = 86_400_000;

export async function createAuthority(name = 'Test Authority'): Promise<TestAuthority> {
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

let shared: Promise<TestAuthority> | undefined;

/** One authority for all tests that need just any. */
export function testAuthority(): Promise<TestAuthority> {
  return (shared ??= createAuthority());
}
