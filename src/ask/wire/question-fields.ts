import type { Static } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { QUESTION_TYPES } from './limits.ts'

export const QUESTION_MAX = 500

export const QuestionType = oneOf(QUESTION_TYPES)
export type QuestionType = Static<typeof QuestionType>

/** The statuses that are stored; `missing` and `unavailable` only appear in results. */
export const STORED_STATUSES = [
  'pending',
  'answered',
  'cancelled',
  'expired',
  'stopped',
  'notified',
  'terminal',
] as const
export type StoredStatus = (typeof STORED_STATUSES)[number]
export const QuestionStatus = oneOf([...STORED_STATUSES, 'missing', 'unavailable'])
export type QuestionStatus = Static<typeof QuestionStatus>

export const ANSWER_SOURCES = [
  'dashboard',
  'mobile_app',
  'mobile_background',
  'decide_page',
  'live_page',
  'answer_link',
  'inbox',
  'slack',
  'telegram',
  'mac_app',
  'sandbox',
] as const
export const AnswerSource = oneOf(ANSWER_SOURCES)
export type AnswerSource = Static<typeof AnswerSource>
