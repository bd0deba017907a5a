/** The commands of documents. What they do is imported on first use. */
import type { CommandHandlers } from '../commands/register-commands.ts';
import type { DocumentsContext } from './context.ts';

export const commands = {
  openResource: async (context, argument, keep) =>
    (await import('./commands/open.ts')).openResource(context, argument, keep),
  openJson: async (context, argument, beside) =>
    (await import('./commands/open.ts')).openJson(context, argument, beside),
  refreshDocument: async (context, argument) => (await import('./commands/open.ts')).refreshDocument(context, argument),
  copyId: async (context, argument, selected) =>
    (await import('./commands/copy.ts')).copyId(context, argument, selected),
  copyJson: async (context, argument, selected) =>
    (await import('./commands/copy.ts')).copyJson(context, argument, selected),
  copyCurl: async (context, argument) => (await import('./commands/copy.ts')).copyCurl(context, argument),
  openExternal: async (context, argument) => (await import('./commands/copy.ts')).openExternal(context, argument),
  compareResources: async (context, argument, selected) =>
    (await import('./commands/compare.ts')).compareResources(context, argument, selected),
  generateTypes: async (context, argument) =>
    (await import('./commands/generate-types.ts')).generateTypes(context, argument),
  insertId: async (context, argument) => (await import('./commands/insert-id.ts')).insertId(context, argument),
} satisfies CommandHandlers<DocumentsContext>;
