import { mount } from '../../platform/http/mount.ts'
import { loadOnce } from '../../platform/load-once.ts'
import { deleteKey, getAgent, getKeys, getMembers, patchMember, postKey } from '../accounts/rest.ts'
import { getActivity } from '../audit/activity-rest.ts'
import { getAudit } from '../audit/rest.ts'
import {
  getCallbackSecret,
  getCallbacks,
  postRedeliver,
  postRotateSecret,
} from '../callbacks/rest.ts'
import { CHANNELS } from '../delivery/channels/channels.ts'
import type { ChannelModule } from '../delivery/channels/module.ts'
import { deliveryRoute } from '../delivery/rest.ts'
import {
  deleteSubscriber,
  getPushKey,
  getSwitches,
  patchSwitches,
  postOpened,
  postRenew,
  postShown,
  postTest,
  subscriberRoutes,
} from '../devices/rest.ts'
import { getHealth } from '../health/rest.ts'
import { getEvents } from '../home/events.ts'
import { postNotification } from '../notifications/rest.ts'
import {
  deleteRule,
  getPolicy,
  getRules,
  patchPolicy,
  patchRule,
  postRule,
} from '../policy/rest.ts'
import {
  getInbox,
  getQuestion,
  postAnswer,
  postCancel,
  postQuestion,
  postStop,
} from '../questions/rest.ts'
import { getScope, postHook, postScope } from '../scopes/rest.ts'
import { getSessions, postPresence, postResume } from '../sessions/rest.ts'
import { type MoreApi, openApi } from './openapi.ts'
import type { RestDeps } from './rest-deps.ts'
import { bound, type Route } from './route.ts'

/** Every route under `/api/v1`; a new one is a file and a row, and describes itself. */
const routesFor = (channels: readonly ChannelModule[]): readonly Route[] => [
  postNotification,
  postQuestion,
  getQuestion,
  postCancel,
  postScope,
  getScope,
  postHook,
  getAgent,
  getInbox,
  postAnswer,
  postStop,
  getActivity,
  getAudit,
  getPushKey,
  ...subscriberRoutes(channels),
  deleteSubscriber,
  postTest,
  postShown,
  postOpened,
  postRenew,
  deliveryRoute(channels),
  getSwitches,
  patchSwitches,
  getKeys,
  postKey,
  deleteKey,
  getMembers,
  patchMember,
  getHealth,
  getCallbackSecret,
  postRotateSecret,
  getCallbacks,
  postRedeliver,
  getPolicy,
  patchPolicy,
  getRules,
  postRule,
  patchRule,
  deleteRule,
  getSessions,
  postResume,
  postPresence,
  getEvents,
]

/** The routes of the server as it is released. */
export const REST_ROUTES = routesFor(CHANNELS)

/** The REST routes and their description: for agents, and what the pages do for other clients. */
export function restRoutes(deps: RestDeps, more?: () => Promise<MoreApi>) {
  const routes = routesFor(deps.channels)
  const description = loadOnce(async () =>
    JSON.stringify(openApi(routes, deps.baseUrl, await more?.())),
  )
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  return mount([
    ...routes.flatMap((route) => bound(deps, route)),
    {
      method: 'GET',
      path: '/openapi.json',
      answer: async () => new Response(await description(), { headers }),
    },
  ])
}
