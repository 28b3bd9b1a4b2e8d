import { setting, settingGroup, type ValuesOf } from '../../../platform/config/setting.ts'
import type { Meaning } from '../../../platform/config/values.ts'

// Apple's push service answers 403 to a subject that cannot be reached from outside.
const UNREACHABLE = /(^|\.)(localhost|local|invalid|test)$/

const VAPID_SUBJECT: Meaning<string> = {
  must: 'a mailto: or https: address that the outside can reach',
  read(text) {
    const url = URL.parse(text)
    if (!url) return undefined
    const host = url.protocol === 'mailto:' ? text.split('@')[1] : url.hostname
    if (!/^(mailto|https):$/.test(url.protocol)) return undefined
    return !host || UNREACHABLE.test(host.toLowerCase()) ? undefined : text
  },
}

/** The contact for push services; without one it is the base URL. */
export const webPushSettings = settingGroup({
  subject: setting('BECKON_VAPID_SUBJECT', VAPID_SUBJECT),
})

declare module '../../../platform/config/config.ts' {
  interface Config {
    webPush: ValuesOf<typeof webPushSettings>
  }
}
