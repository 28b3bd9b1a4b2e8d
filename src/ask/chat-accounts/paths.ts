export const chatAccountPaths = {
  page: '/settings/chat-accounts',
  link: '/settings/chat-accounts/link/:code',
  remove: '/settings/chat-accounts/remove',
} as const

export function linkAccountPath(code: string): string {
  return chatAccountPaths.link.replace(':code', encodeURIComponent(code))
}
