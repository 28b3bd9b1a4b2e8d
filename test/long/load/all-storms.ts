import { crawling, knocking } from './knocks.ts'
import type { Storm } from './storms.ts'
import { churning, comingBack, vanishing } from './vanish.ts'

export const STORMS: readonly Storm[] = [knocking, crawling, vanishing, comingBack, churning]
