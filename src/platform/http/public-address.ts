/**
 * Prevents requests to private addresses: checks the host name before a request, and each address that a socket connects
 * to. undici's dns interceptor is not used: it rewrites the origin to an address and caches it, which this check must not.
 */
import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
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
        reject(createCodedError('no response', 'ETIMEDOUT'));
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

/** Loopback, private, link-local, multicast, reserved, and addresses that contain one of IPv4. */
const PRIVATE_RANGES = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...[
    '::/96',
    '64:ff9b::/32',
    '100::/16',
    '2001::/32',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/9',
    'ff00::/8',
  ],
]) {
  const [address = '', bits] = range.split('/');
  PRIVATE_RANGES.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
}

/** True for what is no public address; names are not. IPv6 addresses that stand for one of IPv4 count as that one. */
export function isPrivateAddress(address: string): boolean {
  const [text = ''] = normalizeHost(address).split('%');
  return isIP(text) === 0 || PRIVATE_RANGES.check(text, isIP(text) === 4 ? 'ipv4' : 'ipv6');
}
