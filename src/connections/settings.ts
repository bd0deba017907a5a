/** What the connections read from the editor's settings: profiles, time limits, proxy and certificates. */
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { NetworkSettings, Timeouts } from '../platform/transport.ts';
import { timeoutsOf } from './network.ts';
import { readProfiles, type Profiles } from './profiles.ts';

export function profilesFromSettings(): Profiles {
  const found = vscode.workspace.getConfiguration('smartObjects').inspect('connections');
  // An untrusted workspace defines no connections; VS Code leaves them out too, this is the second lock.
  return readProfiles(found?.globalValue, vscode.workspace.isTrusted ? found?.workspaceValue : undefined);
}

export function requestTimeouts(): Timeouts {
  return timeoutsOf(numberSetting('requestTimeout', 30, 0.1, 600));
}

export function executeTimeouts(): Timeouts {
  return timeoutsOf(numberSetting('executeTimeout', 120, 0.1, 3600));
}

export function maxConcurrentRequests(): number {
  return Math.floor(numberSetting('maxConcurrentRequests', 6, 1, 64));
}

function numberSetting(name: string, fallback: number, least: number, most: number): number {
  const value: unknown = vscode.workspace.getConfiguration('smartObjects').get(name);
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : fallback;
}

/** The settings that make a transport, so that a change in them makes another. */
export const networkSections = ['http.proxy', 'http.noProxy', 'http.proxyStrictSSL', 'smartObjects.caCertificates'];

/** Reads the certificate files; `unreadable` is told of those that cannot be. */
export async function networkSettings(unreadable: (path: string) => void): Promise<NetworkSettings> {
  const http = vscode.workspace.getConfiguration('http');
  const proxy: unknown = http.get('proxy');
  const paths: unknown = vscode.workspace.getConfiguration('smartObjects').get('caCertificates');
  const certificates = await Promise.all(
    strings(paths).map(async (path) => {
      try {
        return await readFile(path, 'utf8');
      } catch {
        unreadable(path);
        // No certificate stands in it, and the message of a failed handshake says so.
        return 'unreadable';
      }
    }),
  );
  return {
    ...(typeof proxy === 'string' && proxy !== '' && { proxy }),
    noProxy: strings(http.get('noProxy')),
    strictSsl: http.get('proxyStrictSSL') !== false,
    certificates,
  };
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
