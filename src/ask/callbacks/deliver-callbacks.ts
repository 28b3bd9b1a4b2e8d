import { randomText } from '../../platform/ids.ts'
import { readCallbackSecrets } from './callback-secret.ts'
import { lapseCallback, settleCallback } from './model/store.ts'
import { callbacks } from './model/table.ts'
import { createPostSender, keepPosting, type PostDeps, type PostSender } from './post-sender.ts'

/** Posts the callbacks of the outbox, each at its own time (QS-EVENT-1). */
export function createCallbackSender(deps: PostDeps): PostSender {
  const { holder } = deps
  return createPostSender(deps, {
    table: callbacks,
    async secretsOf({ workspaceId }) {
      const { current, ending } = await readCallbackSecrets(deps, workspaceId)
      return [current, ...ending].map(({ secret }) => secret)
    },
    async settle(tx, { id }, { at, status, error, state, nextAt }) {
      const attempt = { id: `att_${randomText(16)}`, callbackId: id, at, status, error }
      await settleCallback(tx, holder, { attempt, state, nextAt })
    },
    lapse: (tx, { id }, end) => lapseCallback(tx, holder, { id, ...end }),
  })
}

/** Checks whenever a callback is queued, and every second; `report` is called with errors. */
export function keepDeliveringCallbacks(
  deps: PostDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return keepPosting(deps, 'callback', createCallbackSender(deps), report)
}
