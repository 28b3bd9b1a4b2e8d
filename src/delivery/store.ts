import type { deliveries } from './table.ts'

export type DeliveryRow = typeof deliveries.$inferSelect
