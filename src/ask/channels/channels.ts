import type { ChannelModule } from '../delivery/channel-module.ts'
import { email } from './email/email.ts'
import { ntfy } from './ntfy/ntfy.ts'
import { slack } from './slack/slack.ts'
import { telegram } from './telegram/telegram.ts'
import { webPush } from './web-push/web-push.ts'

/** Every way to reach people. */
export const CHANNELS: readonly ChannelModule[] = [webPush, ntfy, slack, telegram, email]
