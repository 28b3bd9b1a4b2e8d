import type { Limited } from '../accounts/charge-token.ts'
import type { Person } from '../accounts/model/person.ts'
import type { SetUpForm } from '../accounts/set-up.ts'
import type { ConnectSlackDeps } from '../delivery/channels/slack/connect-slack.ts'
import type { TestPushDeps } from '../devices/send-test-push.ts'
import type { SubscribeDeps } from '../devices/subscribe.ts'
import type { createHealth } from '../health/health.ts'
import type { Policies } from '../policy/model/policies.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'

/** Who is there, and the ways in and out; the headers carry the session cookie. */
type PageAuthentication = {
  personFrom(request: Request): Promise<Person | undefined>
  sameOrigin(request: Request): boolean
  signIn(request: Request, credentials: { email: string; password: string }): Promise<Headers>
  signOut(request: Request): Promise<Headers>
  changePassword(
    request: Request,
    person: Person,
    change: { currentPassword: string; newPassword: string },
  ): Promise<Headers>
  setUp(request: Request, form: SetUpForm): Promise<Headers>
  pair(request: Request, code: string): Promise<{ headers: Headers; appCode: string | undefined }>
}

/** What the pages need of the rest of the house. */
export type PageDeps = EndQuestionDeps &
  ConnectSlackDeps &
  SubscribeDeps &
  TestPushDeps & {
    authentication: PageAuthentication
    policies: Policies
    limited?: Limited
    health: ReturnType<typeof createHealth>
    /** Where agents reach this server, without a slash at the end. */
    baseUrl: string
    /** For subscribing a browser, base64url. */
    vapidPublicKey: string
    /** Where the directory of tools is; undefined while it is empty. */
    catalog: () => string | undefined
  }
