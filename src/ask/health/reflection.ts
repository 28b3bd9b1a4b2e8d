import { readJsonObject } from '../../platform/json.ts'
import {
  MIRROR_AUTHORIZATION,
  MIRROR_HEADER,
  MIRROR_PATH,
  makeChallenge,
  type Reflection,
} from './model/mirror.ts'
import { type Probed, probe } from './probe.ts'

/** The service that answers at an address, and how a request gets there. */
export type Reachability =
  | { kind: 'ours'; reflection: Reflection; spreadMs: number; headers: Headers }
  /** A Beckon server with another data folder, or of a version without this route. */
  | { kind: 'beckon'; status: number; headers: Headers }
  /** A Beckon server, but there is no secret to tell whether it is ours. */
  | { kind: 'unproved'; status: number; headers: Headers }
  | { kind: 'redirect'; to: string; headers: Headers }
  | { kind: 'stranger'; status: number; headers: Headers }
  | { kind: 'nobody'; why: string }

/** Checks whether the server with `authSecret` answers at `origin`. */
export async function probeAddress(
  origin: string,
  authSecret: string | undefined,
  now: number,
): Promise<Reachability> {
  const challenge = makeChallenge(authSecret ?? '', now)
  const headers = { [MIRROR_HEADER]: challenge.header, authorization: MIRROR_AUTHORIZATION }
  const [health, mirror] = await Promise.all([
    probe(`${origin}/healthz`),
    probe(origin + MIRROR_PATH, { headers }),
  ])
  const reflection = authSecret === undefined ? undefined : reflectionIn(mirror, challenge.proof)
  if (mirror.answered && reflection) {
    return { kind: 'ours', reflection, spreadMs: mirror.spreadMs, headers: mirror.headers }
  }
  if (!health.answered) return { kind: 'nobody', why: health.why }
  const { status, headers: responseHeaders } = health
  const to = responseHeaders.get('location')
  if (status >= 300 && status < 400 && to) return { kind: 'redirect', to, headers: responseHeaders }
  const alive = status === 200 && readJsonObject(health.text)?.status === 'ok'
  if (!alive) return { kind: 'stranger', status, headers: responseHeaders }
  const kind = authSecret === undefined ? 'unproved' : 'beckon'
  return { kind, status, headers: responseHeaders }
}

function reflectionIn(mirror: Probed, proof: string): Reflection | undefined {
  if (!mirror.answered || mirror.status !== 200) return undefined
  const data = /^data: (.*)$/m.exec(mirror.text)?.[1]
  const reflection = readJsonObject(data ?? '')
  if (reflection?.proof !== proof) return undefined
  return reflection as Reflection
}
