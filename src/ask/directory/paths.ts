export const directoryPaths = {
  page: '/settings/directory',
  newToken: '/settings/directory/:id/token',
  revoke: '/settings/directory/:id/revoke',
} as const

export const directoryHref = {
  newToken: (id: string) => `/settings/directory/${id}/token`,
  revoke: (id: string) => `/settings/directory/${id}/revoke`,
} as const
