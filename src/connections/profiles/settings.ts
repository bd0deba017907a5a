/** Reads the settings of connections: profiles, timeouts, proxy and certificates. */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { NetworkSettings, Timeouts } from '../../platform/http/transport.ts';
import { createTimeouts } from '../session/shared-transport.ts';
import { readProfiles, type Profiles } from './read-profiles.ts';

/** Reads the profiles of user and workspace. */
export function readProfileSettings(): Profiles {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  // An untrusted workspace defines no connections. VS Code ignores its settings too.
  return readProfiles(found?.globalValue, vscode.workspace.isTrusted ? found?.workspaceValue : undefined);
}

/** The limits of requests without side effects, in milliseconds. */
export function readRequestTimeouts(): Timeouts {
  return createTimeouts(readNumber('requestTimeout', 30, 0.1, 600));
}

/** The limits of executing an action, in milliseconds; a shorter wait would make outcomes unknown that are not. */
export function readExecuteTimeouts(): Timeouts {
  return createTimeouts(readNumber('executeTimeout', 120, 10, 3600));
}

/** The number of parallel requests, 1 to 64. */
export function readMaxConcurrentRequests(): number {
  return Math.floor(readNumber('maxConcurrentRequests', 6, 1, 64));
}

function readNumber(name: string, fallback: number, min: number, max: number): number {
  const value: unknown = vscode.workspace.getConfiguration('smartObjects').get(name);
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : fallback;
}

/** Settings of the transport: a change replaces it. */
export const NETWORK_SETTINGS = ['http.proxy', 'http.noProxy', 'http.proxyStrictSSL', 'smartObjects.caCertificates'];

/** Reads the certificate files; calls `onUnreadable` with the paths that fail. Never rejects. */
export async function readNetworkSettings(onUnreadable: (path: string) => void): Promise<NetworkSettings> {
  const http = vscode.workspace.getConfiguration('http');
  const proxy: unknown = http.get('proxy');
  const paths: unknown = vscode.workspace.getConfiguration('smartObjects').get('caCertificates');
  const certificates = await Promise.all(
    filterStrings(paths).map(async (path) => {
      try {
        return await readFile(path, 'utf8');
      } catch {
        onUnreadable(path);
        // A failed TLS handshake reports the missing certificate.
        return 'unreadable';
      }
    }),
  );
  return {
    ...(typeof proxy === 'string' && proxy !== '' && { proxy }),
    noProxy: filterStrings(http.get('noProxy')),
    strictSsl: http.get('proxyStrictSSL') !== false,
    certificates,
  };
}

function filterStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
