import type { Database } from 'bun:sqlite'

/** Tokens of which something else is counted than there is. */
export function miscounted(db: Database): unknown[] {
  return db
    .query(
      `select token_id, open_questions, kept_bytes,
         (select count(*) from questions q where q.token_id = u.token_id and status = 'pending') as open,
         (select coalesce(sum(bytes), 0) from questions q where q.token_id = u.token_id) +
         (select coalesce(sum(bytes), 0) from notifications n where n.token_id = u.token_id) as bytes
       from token_usage u where open <> open_questions or bytes <> kept_bytes`,
    )
    .all()
}
