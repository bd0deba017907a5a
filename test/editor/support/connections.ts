/** What the tests of the connections share: the hooks of the running extension, and the sandbox that the runner started. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHooks } from '../../../src/ui/test-hooks.ts';

export async function hooks(): Promise<TestHooks> {
  const extension = vscode.extensions.getExtension<TestHooks>('smart-objects.smart-object-explorer');
  assert.ok(extension, 'not installed');
  return extension.activate();
}

export interface SandboxLine {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnlyApiKey: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly systemToken: string;
  readonly refreshPath: string;
  readonly walletId: string;
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  readonly invites: readonly { readonly organizationId: string; readonly token: string; readonly memberId: string }[];
}

/** The line that the sandbox printed. */
export function sandbox(): SandboxLine {
  const line = process.env['SANDBOX'];
  assert.ok(line !== undefined, 'no sandbox was started');
  return JSON.parse(line) as SandboxLine;
}
