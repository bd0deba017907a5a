/** What pages of resources have shown, for tests in the editor. */
import * as z from 'zod/mini';
import { pageProtocol, type PageState } from '../../../src/webviews/protocol/page.ts';
import type { recordPosts } from './webviews.ts';

const stateMessage = z.object({ type: z.literal('state'), body: pageProtocol.toView.state });

/** The states that pages have got, the newest last. */
export function listPageStates({ messages }: Pick<ReturnType<typeof recordPosts>, 'messages'>): readonly PageState[] {
  return messages.flatMap((message) => {
    const parsed = z.safeParse(stateMessage, message);
    return parsed.success ? [parsed.data.body] : [];
  });
}
