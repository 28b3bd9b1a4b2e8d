export const chatAccountPaths = {
  page: '/settings/chat-accounts',
  remove: '/settings/chat-accounts/remove',
} as const
