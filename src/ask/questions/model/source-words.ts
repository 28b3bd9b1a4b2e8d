import type { AnswerSource } from './question.ts'

/** Where somebody answered, in words. */
export const SOURCE_WORDS: Record<AnswerSource, string> = {
  dashboard: 'the home page',
  mobile_app: 'the app on a phone',
  mobile_background: 'a notification on a phone',
  decide_page: 'the decide page',
  live_page: 'the live page',
  answer_link: 'an answer link',
  inbox: 'the inbox',
  slack: 'Slack',
  mac_app: 'the app on a Mac',
  sandbox: 'here, as test traffic',
}
