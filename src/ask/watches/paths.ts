import type { WatchId } from './model/watch.ts'

export const watchPaths = {
  watches: '/settings/watches',
  resume: '/settings/watches/resume',
  remove: '/settings/watches/:id/remove',
  stop: '/watches/stop/:token',
} as const

export const watchHref = {
  remove: (id: WatchId) => `/settings/watches/${id}/remove`,
} as const
