import { Elysia } from 'elysia'
import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import type { IsProxy } from '../../platform/http/caller-address.ts'
import { VERSION } from '../../platform/program.ts'
import {
  MIRROR_AUTHORIZATION,
  MIRROR_HEADER,
  MIRROR_MS,
  MIRROR_PATH,
  proofFor,
  type Reflection,
} from './model/mirror.ts'

type MirrorDeps = {
  clock: Clock
  authSecret: string
  isProxy: IsProxy
  peerOf(request: Request): string | undefined
}

/**
 * Shows a caller with the server's own secret how its request arrived; others get 401. The reply
 * takes a moment to end, so that a proxy which buffers it is noticed.
 */
export function mirrorRoutes({ clock, authSecret, isProxy, peerOf }: MirrorDeps) {
  return new Elysia().get(MIRROR_PATH, ({ request }) => {
    const { headers } = request
    const proof = proofFor(headers.get(MIRROR_HEADER), authSecret, clock.now())
    if (!proof) throw new Failure('unauthenticated', 'Only beckon doctor may look here.')
    const peer = peerOf(request)
    return slowly(clock, {
      proof,
      version: VERSION,
      host: headers.get('host') ?? '',
      authorization: headers.get('authorization') === MIRROR_AUTHORIZATION,
      forwardedFor: headers.has('x-forwarded-for'),
      forwardedProto: headers.get('x-forwarded-proto'),
      peer: peer ?? null,
      trustsProxy: peer !== undefined && isProxy(peer),
    })
  })
}

function slowly(clock: Clock, reflection: Reflection): Response {
  let stop = () => {}
  const body = new ReadableStream<string>({
    start(controller) {
      controller.enqueue(`data: ${JSON.stringify(reflection)}\n\n`)
      stop = clock.after(MIRROR_MS, () => {
        controller.enqueue(':\n\n')
        controller.close()
      })
    },
    cancel: () => stop(),
  })
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}
