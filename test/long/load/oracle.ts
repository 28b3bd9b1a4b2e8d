import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { MODEL_CALL_ID } from '../../support/question.ts'
import type { GeneratorReport } from './ground.ts'
import type { PushReceiver } from './push-receiver.ts'

/** Everything in which the data folder and the devices differ from what the agents were told. */
export function differences(data: string, report: GeneratorReport, push: PushReceiver): string[] {
  using db = new Database(join(data, 'beckon.db'), { readonly: true })
  const query = `select id, ${MODEL_CALL_ID}, status from questions`
  const rows = db.query(query).values()
  const all = rows as Array<[id: string, key: string, status: string]>
  const byKey = Map.groupBy(all, ([, key]) => key)
  const statusOf = new Map(all.map(([id, , status]) => [id, status]))
  const wrong = [...push.wrong]
  for (const [key, same] of byKey) if (same.length > 1) wrong.push(`asked twice: ${key}`)
  for (const [key, id] of report.asked) {
    const [question] = byKey.get(key) ?? []
    if (question?.[0] !== id) wrong.push(`lost: ${key} as ${id}, found ${question?.[0]}`)
    // Each is for one device.
    if (push.asked(id) !== 1) wrong.push(`${id} was pushed to ${push.asked(id)} devices`)
  }
  const ended = (ids: string[], as: string) => {
    for (const id of ids) {
      if (statusOf.get(id) !== as) wrong.push(`${id} was ${as}, found ${statusOf.get(id)}`)
    }
  }
  ended(report.heard, 'answered')
  ended(report.answered, 'answered')
  ended(report.cancelled, 'cancelled')
  const heard = new Set(report.heard)
  for (const id of report.answered) if (!heard.has(id)) wrong.push(`${id}: nobody heard its answer`)
  return wrong
}
