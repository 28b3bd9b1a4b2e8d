import type { Id } from '../../platform/ids.ts'

/** A question's id is called `correlationId` on the wire. */
export type QuestionId = Id<'q'>
export type NotificationId = Id<'n'>
/** The id of a message to devices; it is forgotten when it is old. */
export type SubjectId = QuestionId | NotificationId
