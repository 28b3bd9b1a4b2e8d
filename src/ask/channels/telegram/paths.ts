export const telegramPaths = {
  settings: '/settings/telegram',
  connect: '/settings/telegram/connect',
  forget: '/settings/telegram/forget',
} as const
