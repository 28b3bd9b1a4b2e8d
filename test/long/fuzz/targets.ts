import type { Target } from './target.ts'
import { CATALOG_FILE_TARGETS } from './targets/catalog-files.ts'
import { DEVICE_TARGETS } from './targets/devices.ts'
import { FEED_TARGETS } from './targets/feeds.ts'
import { HOOK_TARGETS } from './targets/hook.ts'
import { IMPORTER_TARGETS } from './targets/importers.ts'
import { MCP } from './targets/mcp.ts'
import { PATH_TARGETS } from './targets/paths.ts'
import { PROBE_TARGETS } from './targets/probes.ts'
import { ROUTES } from './targets/routes.ts'
import { SETUP_TARGETS } from './targets/setup.ts'
import { SIGNED_TARGETS } from './targets/signed.ts'
import { TEXT_TARGETS } from './targets/texts.ts'
import { WIRE_TARGETS } from './targets/wire.ts'

/** Everything that reads what others wrote; one more is a row in one of these lists. */
export const TARGETS: readonly Target[] = [
  TEXT_TARGETS,
  DEVICE_TARGETS,
  PATH_TARGETS,
  HOOK_TARGETS,
  SETUP_TARGETS,
  CATALOG_FILE_TARGETS,
  IMPORTER_TARGETS,
  PROBE_TARGETS,
  SIGNED_TARGETS,
  FEED_TARGETS,
  MCP,
  ROUTES,
  WIRE_TARGETS,
].flat()
