import { Elysia } from 'elysia'
import { getActivity } from './activity.ts'
import { postAnswer, postStop } from './answers.ts'
import { getAudit } from './audit.ts'
import { getCallbackSecret, postRotateSecret } from './callback-secret.ts'
import { getCallbacks, postRedeliver } from './callbacks.ts'
import { getDeliveries } from './deliveries.ts'
import { getEvents } from './events.ts'
import { postHook } from './hooks.ts'
import { getInbox } from './inbox.ts'
import { deleteKey, getKeys, postKey } from './keys.ts'
import { getMembers, patchMember } from './members.ts'
import { postNotification } from './notifications.ts'
import { type MoreApi, openApi } from './openapi.ts'
import { getAgent } from './own-agent.ts'
import { getHealth } from './own-health.ts'
import { deleteRule, getPolicy, getRules, patchPolicy, patchRule, postRule } from './policy.ts'
import { getPushKey } from './push-key.ts'
import { getQuestion, postCancel, postQuestion } from './questions.ts'
import type { RestDeps } from './rest-deps.ts'
import type { Connection, Route } from './route.ts'
import { getScope, postScope } from './scopes.ts'
import { getSessions, postPresence, postResume } from './sessions.ts'
import {
  deleteSubscriber,
  getSubscribers,
  patchSubscriber,
  postOpened,
  postRenew,
  postShown,
  postSubscriber,
  postTest,
} from './subscribers.ts'
import { getSwitches, patchSwitches } from './switches.ts'

/** Every route under `/api/v1`; a new one is a file and a row, and describes itself. */
export const REST_ROUTES: readonly Route[] = [
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
  getSubscribers,
  postSubscriber,
  patchSubscriber,
  deleteSubscriber,
  postTest,
  postShown,
  postOpened,
  postRenew,
  getDeliveries,
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

/**
 * The REST face: the tools for agents, and what the pages do for other clients. For HEAD
 * Elysia reads a GET to its end, which a stream does not have: streams answer HEAD themselves.
 */
export function restRoutes(deps: RestDeps, more?: MoreApi) {
  const rest = new Elysia()
  for (const route of REST_ROUTES) {
    const { method, path, stream } = route.spec
    const methods = stream ? [method, 'HEAD'] : [method]
    for (const one of methods) {
      rest.route(
        one,
        `/api/v1${path}`,
        ({ request, params, server }) =>
          route.run(deps, { request, params, connection: server as Connection | null }),
        { parse: 'none' },
      )
    }
  }
  const description = JSON.stringify(openApi(REST_ROUTES, deps.baseUrl, more))
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  return rest.get('/openapi.json', () => new Response(description, { headers }))
}
