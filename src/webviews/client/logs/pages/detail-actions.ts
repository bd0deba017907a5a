import type { logsProtocol } from '../../../protocol/logs.ts';
import type { connectToHost } from '../../host-connection.ts';
import type { DetailActions } from './details.ts';

interface DetailActionsOptions {
  readonly view: ReturnType<typeof connectToHost<typeof logsProtocol.toView, typeof logsProtocol.toHost>>;
  readonly close: () => void;
  /** Returns the connection of the shown entry. */
  readonly getConnection: () => string | undefined;
}

/** Creates what the details of an entry can do: each action is a message to the host. */
export function createDetailActions({ view, close, getConnection }: DetailActionsOptions): DetailActions {
  return {
    close,
    open(kind, id) {
      const connection = getConnection();
      if (connection !== undefined) view.post('open', { connection, kind, id });
    },
    openExternal: (index) => view.post('openExternal', { index }),
    history(object) {
      const connection = getConnection();
      if (connection !== undefined) view.post('history', { connection, object });
    },
    run: (what, key) => view.post(what, { key }),
    copy: (key, what) => view.post('copy', { key, what }),
    label: (value) => view.post('label', { value }),
  };
}
