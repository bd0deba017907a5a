/** The page about agents: its list of tools, and its transcript, made with the MCP server on the sandbox. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { format } from 'prettier';
import * as z from 'zod/mini';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { ROOT } from '../../support/doc-examples.ts';
import { getProgram } from '../cli/support.ts';
import { CHILD_ENVIRONMENT } from '../../runtime/child-process.ts';

const PAGE = path.join(ROOT, 'docs/agents.md');
const UPDATE = 'UPDATE_TRANSCRIPT=1 node test/runtime/mocha-suite.ts test/unit/docs/agents.test.ts';
const BEGIN = '<!-- transcript -->';
const END = '<!-- /transcript -->';

const ACTION_FILE = `{
  "action": {
    "mint": {
      "template_id": "tpl_a988a8ed2db28a1f66a20b18",
      "num": 1,
      "data": { "custom": { "event": "Low Water Jazz", "date": "2026-09-16", "price": "61.50", "currency": "EUR" } }
    }
  }
}
`;

type Part =
  | { readonly user: string }
  | { readonly agent: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

const conversation: readonly Part[] = [
  { user: 'Can another “Limited Print No. 7” be minted?' },
  { tool: 'smartObjects_list', input: { kind: 'templates', filters: { name: 'Limited Print No. 7' } } },
  { agent: 'No. All 16 of 16 are minted, so the platform would refuse it.' },
  { user: 'Then write an action file for a Harbour Concert Ticket, like the newest one.' },
  { tool: 'smartObjects_find', input: { text: 'Harbour Concert Ticket · Row A Seat 25' } },
  { tool: 'smartObjects_get', input: { kind: 'objects', id: 'obj_117de336dd9acbf8c65f61d1' } },
  { tool: 'smartObjects_checkAction', input: { text: ACTION_FILE } },
  {
    agent: `The file has no problems. Nothing was sent: save it as \`ticket.action.json\`, read it, and choose **Run**.\n\n\`\`\`json\n${ACTION_FILE}\`\`\``,
  },
];

suite('docs/agents.md', () => {
  test('names every tool of the manifest', () => {
    const manifest = z.parse(
      z.object({
        contributes: z.object({ languageModelTools: z.array(z.object({ toolReferenceName: z.string() })) }),
      }),
      JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
    );
    const documented = [...fs.readFileSync(PAGE, 'utf8').matchAll(/^\| `#(\w+)` /gm)].map(([, name]) => name);
    assert.deepEqual(
      documented.sort(),
      manifest.contributes.languageModelTools.map(({ toolReferenceName }) => toolReferenceName).sort(),
    );
  });

  test('the transcript is what the tools return', async () => {
    const page = fs.readFileSync(PAGE, 'utf8');
    const [start, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
    const updated = await format(`${page.slice(0, start)}\n\n${await createTranscript()}\n${page.slice(end)}`, {
      parser: 'markdown',
      printWidth: 120,
    });
    if (process.env['UPDATE_TRANSCRIPT'] === '1') fs.writeFileSync(PAGE, updated);
    else assert.equal(page, updated, `If the change is wanted: ${UPDATE}`);
  });
});

async function createTranscript(): Promise<string> {
  const sandbox = await startSandbox({ seed: 1, clock: 'manual' });
  const client = new Client({ name: 'transcript', version: '1' });
  try {
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [getProgram(), 'mcp', '--name', 'Local Sandbox'],
        env: { ...CHILD_ENVIRONMENT, SMART_OBJECTS_BASE_URL: sandbox.baseUrl, SMART_OBJECTS_API_KEY: sandbox.apiKey },
      }),
    );
    const parts: string[] = [];
    for (const part of conversation) {
      if ('user' in part) parts.push(`**User:** ${part.user}`);
      else if ('agent' in part) parts.push(`**Agent:** ${part.agent}`);
      else {
        const { content } = await client.callTool({ name: part.tool, arguments: part.input });
        const text = content.map((item) => (item.type === 'text' ? item.text : '')).join('\n');
        const input = JSON.stringify(part.input, null, 2);
        parts.push(`\`${part.tool}\`\n\n\`\`\`json\n${input}\n\`\`\``);
        parts.push(
          `\`\`\`text\n${text.replaceAll(sandbox.baseUrl, 'http://127.0.0.1:PORT').replace(/(?<=untrusted-data-)\w{8}/g, '5f0c1a7e')}\n\`\`\``,
        );
      }
    }
    return `${parts.join('\n\n')}\n`;
  } finally {
    await client.close();
    await sandbox.close();
  }
}
