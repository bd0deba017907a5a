/** `api GET PATH`: any request that only reads, with credential, retries and masking. */
import { confirmInvite } from '../../platform/resources/invites.ts';
import type { CommandContext } from '../command-context.ts';
import type { ConnectionValues } from '../connection/connection-options.ts';
import { sanitizeJson } from '../output/sanitize.ts';
import { UsageError } from '../usage-error.ts';
import { withConnection } from '../with-connection.ts';

/** Prints the response to a GET. Rejects as `withConnection` does. */
export async function api(
  context: CommandContext,
  method: string,
  path: string,
  values: ConnectionValues,
): Promise<void> {
  if (method.toUpperCase() !== 'GET')
    throw new UsageError('api only reads: use GET. Actions are sent by “smart-objects run”');
  const url = path.startsWith('/') && URL.canParse(`http://a${path}`) ? new URL(`http://a${path}`) : undefined;
  // The path of the URL differs from the text if it has dot segments or characters that are escaped.
  if (
    url?.host !== 'a' ||
    url.hash !== '' ||
    path.split('?')[0] !== url.pathname ||
    /%(?:2e|2f|5c)|[{}]|\/\//i.test(url.pathname)
  )
    throw new UsageError('The path must begin with /, such as /objects?limit=3, and have no empty or dot segments');
  const plain = decodeURIComponent(url.pathname).toLowerCase();
  const invite = new RegExp(`^${confirmInvite.path.replace(/\{\w+\}/g, '[^/]+').toLowerCase()}/*$`);
  if (invite.test(plain)) throw new UsageError('api only reads: this request accepts an invitation');
  await withConnection(context, values, `GET ${url.pathname}`, async ({ client }) => {
    // Braces would be placeholders of the path.
    const target = url.pathname + url.search.replace(/[{}]/g, (brace) => encodeURIComponent(brace));
    const text = await client.getJson(target, { signal: context.signal });
    await context.output.write(sanitizeJson(text.endsWith('\n') ? text : `${text}\n`));
  });
}
