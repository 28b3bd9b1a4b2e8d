import { PERMISSION_MODE_MAX } from './ask-fields.ts'

/**
 * The input of `ask_user` without the fields that are ignored, malformed or not.
 * Whatever is no object is left to the check of all fields.
 */
export function withoutIgnored(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const fields: Record<string, unknown> = { ...input }
  if (fields.type !== 'select') delete fields.options
  if (typeof fields.localSurfaceAvailable !== 'boolean') delete fields.localSurfaceAvailable
  if (typeof fields.pausedAware !== 'boolean') delete fields.pausedAware
  if (!isPermissionMode(fields.permissionMode)) delete fields.permissionMode
  return fields
}

function isPermissionMode(value: unknown): boolean {
  return typeof value === 'string' && value.length <= PERMISSION_MODE_MAX
}
