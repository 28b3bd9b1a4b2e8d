export const telegramPaths = {
  settings: '/settings/telegram',
  connect: '/settings/telegram/connect',
  answerHere: '/settings/telegram/answer',
  forget: '/settings/telegram/forget',
} as const
