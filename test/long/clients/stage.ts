import type { Open } from '../../support/agent-house.ts'
import type { Driver } from './driver.ts'
import type { Model } from './models/model.ts'
import type { ClientWorld } from './world.ts'

export type Stage = { driver: Driver; world: ClientWorld; model: Model; binary: string }
/** Throws with what was seen when the client did otherwise. */
export type Scenario = { name: string; play(stage: Stage): Promise<string> }

// The first start in a new home may take this many times as long as a test is patient.
const PATIENCE = 3

/** The question as soon as it is in the inbox. */
export async function opened({ world }: Stage, text: string): Promise<Open> {
  for (let left = PATIENCE; ; left--) {
    try {
      return await world.house.opened(({ question }) => question.includes(text))
    } catch {
      if (left === 1) throw new Error(`a question with "${text}" never came`)
    }
  }
}

export function ended(ran: object): never {
  throw new Error(`the client ended before it asked: ${JSON.stringify(ran, undefined, 1)}`)
}

export function check(fits: boolean, sentence: string, seen: object): void {
  if (!fits) throw new Error(`${sentence}: ${JSON.stringify(seen, undefined, 1)}`)
}

export function short(body: string): string {
  return body.length <= 1_500 ? body : `…${body.slice(-1_500)}`
}
