import { type AnyElysia, Elysia } from 'elysia'
import { editorSchema, SCHEMA_PATH } from './model/policy-file.ts'

/** The schema of policy files, at the address that exported files name. It says nothing of a workspace. */
export function schemaRoute(): AnyElysia {
  const headers = {
    'content-type': 'application/schema+json',
    'cache-control': 'public, max-age=3600',
  }
  return new Elysia().get(SCHEMA_PATH, () => Response.json(editorSchema(), { headers }))
}
