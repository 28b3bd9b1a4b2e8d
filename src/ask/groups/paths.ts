import type { GroupId } from './model/group.ts'

export const groupPaths = {
  groups: '/settings/groups',
  group: '/settings/groups/:id',
  remove: '/settings/groups/:id/remove',
} as const

export const groupHref = {
  group: (id: GroupId) => `/settings/groups/${id}`,
  remove: (id: GroupId) => `/settings/groups/${id}/remove`,
} as const
