import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { miscounted } from '../../support/miscounted.ts'
import { MODEL_CALL_ID } from '../../support/question.ts'
import type { Found } from './oracle.ts'

/** What the database of an ended server holds. */
export function readData(data: string) {
  using db = new Database(join(data, 'beckon.db'))
  const questions = db
    .query(`select id, ${MODEL_CALL_ID} as key, question, status, value from questions`)
    .all() as Found[]
  const titles = db.query('select title from notifications').values().flat()
  const integrity = db.query('pragma integrity_check').values().flat()
  return { questions, titles: new Set(titles.map(String)), integrity, miscounted: miscounted(db) }
}
