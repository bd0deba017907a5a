/**
 * Prevents requests to private addresses: checks the host name before a request, and each address that a socket connects
 * to. undici's dns interceptor is not used: it rewrites the origin to an address and caches it, which this check must not.
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createCodedError } from './network-errors.ts';
import { isLoopback, normalizeHost } from './proxy.ts';

/** The `code` of the error for a private address. */
const PRIVATE_ADDRESS_CODE = 'EPRIVATE';

/** As `dns.lookup`; fails with `EPRIVATE` if any of the addresses is private. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    // On failure, `addresses` is undefined despite its type.
    const [first] = error === null ? addresses : [];
    if (first === undefined) callback(error ?? privateAddressError(), '', 0);
    else if (addresses.some(({ address }) => isPrivateAddress(address))) callback(privateAddressError(), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

/**
 * Rejects as `publicLookup` fails, and with `ETIMEDOUT` after `timeout` milliseconds or when `signal` is aborted. For
 * literal addresses, which need no lookup, and for hosts that a proxy connects to.
 */
export function assertPublicHost(url: URL, timeout: number, signal: AbortSignal | undefined): Promise<void> {
  const host = normalizeHost(url.hostname);
  return new Promise((resolve, reject) => {
    // A lookup cannot be cancelled, and a name server may never reply.
    for (const end of [AbortSignal.timeout(timeout), signal])
      end?.addEventListener('abort', () => {
        reject(createCodedError('no answer', 'ETIMEDOUT'));
      });
    if (isLoopback(host)) reject(privateAddressError());
    else
      publicLookup(host, {}, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
  });
}

function privateAddressError(): Error {
  return createCodedError('a private address', PRIVATE_ADDRESS_CODE);
}

/** True for addresses (not names) that are not public: loopback, private, link-local, multicast, reserved. */
export function isPrivateAddress(address: string): boolean {
  const text = normalizeHost(address);
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return isPrivateAddress(mapped);
  if (text.includes(':')) {
    const hexMapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text);
    if (hexMapped !== null) {
      const [high, low] = [Number.parseInt(hexMapped[1] ?? '', 16), Number.parseInt(hexMapped[2] ?? '', 16)];
      return isPrivateAddress([high >> 8, high & 255, low >> 8, low & 255].join('.'));
    }
    return /^(::1?$|f[cd]|fe[89a-f]|ff|64:ff9b:|100:|2001:db8:|2002:|2001:0{0,4}:)/.test(text);
  }
  const parts = text.split('.').map(Number);
  const [a = NaN, b = NaN, c = NaN] = parts;
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return true;
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113)
  );
}
