import type { ShownTemplate } from '../../webviews/protocol/logs.ts';
import { getEntryKey } from '../entry.ts';

interface TemplateNamesOptions {
  readonly getTitle: (template: ShownTemplate) => string | undefined;
  /** Reads a template, whose title is known afterwards. */
  readonly read: (template: ShownTemplate) => Promise<unknown>;
}

/** Finds the names of templates that a page shows by their ids. */
export class TemplateNames {
  readonly #options: TemplateNamesOptions;
  readonly #tried = new Set<string>();

  constructor(options: TemplateNamesOptions) {
    this.#options = options;
  }

  /**
   * Reads the templates without a known name, each once, one after the other as long as they are `wanted`. Resolves with
   * those that have a name now. Never rejects.
   */
  async find(templates: readonly ShownTemplate[], wanted: () => boolean): Promise<readonly ShownTemplate[]> {
    const { getTitle, read } = this.#options;
    for (const template of templates) {
      const key = getEntryKey(template.connection, template.id);
      if (this.#tried.has(key) || getTitle(template) !== undefined) continue;
      if (!wanted()) break;
      this.#tried.add(key);
      await read(template).catch(() => undefined);
    }
    return templates.filter((template) => getTitle(template) !== undefined);
  }
}
