import { MASK } from '../../platform/json/secrets.ts';
import type { VariableSource } from '../variables/variable-source.ts';

/**
 * The variables of a preview: secrets and values of the environment are masked as soon as they are read, and a variable
 * without a value stays as it is written. `source` must not prompt. `onMissing`: called with the error
 * that is the reason.
 */
export function createPreviewVariables(source: VariableSource, onMissing: (error: unknown) => void): VariableSource {
  const readOrKeep = async (text: string, read: () => unknown): Promise<unknown> => {
    try {
      return await read();
    } catch (error) {
      onMissing(error);
      return text;
    }
  };
  const readText = async (text: string, read: () => Promise<string>): Promise<string> =>
    String(await readOrKeep(text, read));
  const mask = async (read: Promise<string>): Promise<string> => {
    await read;
    return MASK;
  };
  return {
    input: (name) => readText(`\${input:${name}}`, () => source.input(name)),
    env: (name) => readText(`\${env:${name}}`, () => mask(source.env(name))),
    secret: (name) => readText(`\${secret:${name}}`, () => mask(source.secret(name))),
    file: (name) => readText(`\${file:${name}}`, () => source.file(name)),
    run: (name) => readOrKeep(`\${run:${name}}`, () => source.run(name)),
    row: (name) => readOrKeep(`\${row:${name}}`, () => source.row(name)),
  };
}
