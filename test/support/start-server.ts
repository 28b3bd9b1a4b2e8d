import {
  type Listener,
  type ListenOptions,
  openListener,
} from '../../src/platform/http/listener.ts'
import { answerFor, createHttp, type HttpOptions } from '../../src/platform/http/server.ts'

/** Some faces on a port of their own. Throws as `openListener` does. */
export function startServer(options: HttpOptions & Partial<ListenOptions>): Listener {
  const here = { host: '127.0.0.1', port: 0, baseUrl: 'http://localhost:8484', ...options }
  const listener = openListener(here)
  listener.answerWith(answerFor(listener, createHttp(options)))
  return listener
}
