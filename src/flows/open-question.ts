import type { Db } from '../db/database.ts'
import type { Post, Sending } from '../delivery/post.ts'
import type { Question } from '../questions/question.ts'
import {
  findAbandoned,
  findQuestionByKey,
  insertQuestion,
  markAbandoned,
} from '../questions/store.ts'
import { questionLetter } from './question-letter.ts'

export type OpenQuestionDeps = { db: Db; post: Post }

/** What came of an ask: a new question on its way, or an earlier one that this call joins. */
export type Opened =
  | { fresh: true; question: Question; sending: Sending | undefined }
  | { fresh: false; question: Question }

/**
 * Opens the question unless its key (or, without a key, an abandoned twin) says that it was asked
 * before: then the earlier one is joined (spec: Rules, 6).
 */
export async function openQuestion(deps: OpenQuestionDeps, asked: Question): Promise<Opened> {
  const { db, post } = deps
  const twin = asked.key === undefined ? await joinTwin(db, asked) : undefined
  if (twin) return { fresh: false, question: twin }

  const letters = asked.held ? [] : await post.address(db.read, questionLetter(asked))
  const stored = await db.write(async (tx) => {
    const inserted = await insertQuestion(tx, asked)
    if (!inserted) return false
    await post.store(tx, letters)
    tx.ring('question', asked.id)
    return true
  })
  if (!stored) return { fresh: false, question: await earlier(db, asked) }
  const sending = letters.length > 0 ? post.send(letters) : undefined
  return { fresh: true, question: asked, sending }
}

async function joinTwin(db: Db, asked: Question): Promise<Question | undefined> {
  const twin = await findAbandoned(db.read, asked, asked.createdAt)
  if (twin) await db.write((tx) => markAbandoned(tx, twin.id, undefined))
  return twin
}

async function earlier(db: Db, asked: Question): Promise<Question> {
  const found = await findQuestionByKey(db.read, asked.workspaceId, asked.key ?? '')
  if (!found) throw new Error('a question was neither stored nor found under its key')
  return found
}
