/** Every table, for drizzle-kit and the migration tests; stores import their own. */
export * from '../accounts/auth-tables.ts'
export * from '../accounts/table.ts'
export * from '../delivery/table.ts'
export * from '../notifications/table.ts'
export * from '../questions/table.ts'
export * from '../subscribers/table.ts'
export * from './settings-table.ts'
