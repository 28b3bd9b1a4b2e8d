import { type Fields, isFields } from '../../platform/mcp/message.ts'

/** The progress of one request, over all of its attempts. */
export type ProgressRelay = {
  /** Hands on what the server says, counted from the first attempt. */
  pass(notification: Fields): void
  /** A new attempt begins; says why in the meantime. */
  restart(message: string): void
}

/**
 * The server counts from the arrival of an attempt, and progress must rise (MCP, progress): what
 * an attempt says is moved by the time that was spent before it.
 */
export function createProgress(token: unknown, say: (notification: Fields) => void): ProgressRelay {
  const startedAt = performance.now()
  let offset = 0
  let last = -1

  function tell(progress: number, more: Fields) {
    if ((typeof token !== 'string' && !Number.isSafeInteger(token)) || progress <= last) return
    last = progress
    const params = { ...more, progressToken: token, progress }
    say({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }

  return {
    pass({ method, params }) {
      if (method !== 'notifications/progress' || !isFields(params)) return
      const { progress, total } = params
      if (typeof progress !== 'number') return
      const moved = typeof total === 'number' ? { total: total + offset } : {}
      tell(progress + offset, { ...params, ...moved })
    },
    restart(message) {
      offset = (performance.now() - startedAt) / 1000
      tell(offset, { message })
    },
  }
}
