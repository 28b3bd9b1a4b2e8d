import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { ClientWorld } from '../world.ts'

/** A message to a person that asks nothing; `at` in milliseconds. */
export type Message = { at: number; text: string }

type Person = { agreesTo: string; onQuestion(question: string): void; onAgreement(): void }

/** A person who agrees to what contains a text, and to nothing else. */
export function answering(
  { house }: ClientWorld,
  { agreesTo, onQuestion, onAgreement }: Person,
): { stop(): void } {
  let isOver = false
  const loop = async () => {
    while (!isOver) {
      for (const { correlationId, question } of await house.inbox().catch(() => [])) {
        const value = question.includes(agreesTo) ? 'yes' : 'no'
        if (value === 'no') onQuestion(question)
        else onAgreement()
        await house.answer(correlationId, { value })
      }
      await Bun.sleep(150)
    }
  }
  void loop()
  return {
    stop() {
      isOver = true
    },
  }
}

/** What persons were told without being asked. */
export function messagesTo({ house }: ClientWorld): Message[] {
  using db = new Database(join(house.data, 'beckon.db'), { readonly: true })
  const sql = "select created_at as at, title || ' ' || body as text from notifications"
  return db.query<{ at: number; text: string }, []>(`${sql} order by created_at`).all()
}
