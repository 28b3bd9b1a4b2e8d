import { launchd } from './launchd.ts'
import type { ServiceManager } from './manager.ts'
import { systemd } from './systemd.ts'
import { windowsTask } from './windows-task.ts'

/** Every service manager; which is used depends on the platform. */
export const MANAGERS: readonly ServiceManager[] = [systemd, launchd, windowsTask]
