import type { Target } from './target.ts'
import { HOOK_TARGETS } from './targets/hook.ts'
import { MCP } from './targets/mcp.ts'
import { PATH_TARGETS } from './targets/paths.ts'
import { ROUTES } from './targets/routes.ts'

/** Everything that reads what others wrote; one more is a row in one of these lists. */
export const TARGETS: readonly Target[] = [...PATH_TARGETS, ...HOOK_TARGETS, ...MCP, ...ROUTES]
