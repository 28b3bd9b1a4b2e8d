import type { RotaId } from './model/rota.ts'

export const rotaPaths = {
  rotas: '/settings/rotas',
  rota: '/settings/rotas/:id',
  remove: '/settings/rotas/:id/remove',
  overrides: '/settings/rotas/:id/overrides',
  removeOverride: '/settings/rotas/:id/overrides/remove',
} as const

export const rotaHref = {
  calendar: '/settings/rotas?new=calendar',
  rota: (id: RotaId) => `/settings/rotas/${id}`,
  remove: (id: RotaId) => `/settings/rotas/${id}/remove`,
  overrides: (id: RotaId) => `/settings/rotas/${id}/overrides`,
  removeOverride: (id: RotaId) => `/settings/rotas/${id}/overrides/remove`,
} as const
