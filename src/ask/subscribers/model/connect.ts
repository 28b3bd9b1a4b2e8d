import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ComponentChild } from 'preact'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import type { Draft, Wrong } from '../../../platform/web/form.tsx'
import type { Person } from '../../accounts/model/person.ts'
import type { SubscribeInput } from './subscribe-fields.ts'
import type { Subscriber, SubscriberKind } from './subscriber.ts'

/** A device's address, and the credentials that its service requires. */
export type Reachable = Pick<Subscriber, 'endpoint' | 'keys' | 'authorization'>

/** How a device of a channel is connected with `POST /subscribers`. */
export type ConnectContract<F extends TProperties = TProperties> = {
  /** The addresses that it accepts; continues after "The" in the description of `endpoint`. */
  endpoint: string
  /** The fields besides those of every device; all optional, since channels share one schema. */
  fields: F
  /** Checks the input; `refusal` says why an address may not be reached. Throws `invalid_input`. */
  read(input: SubscribeInput & Static<TObject<F>>, refusal: GuardedFetch['refusal']): Reachable
  /** A name for a device that was not given one. */
  label(input: SubscribeInput, userAgent: string | undefined): string
  /** The only endpoint that a person with this e-mail address may connect; absent: any. */
  ownEndpoint?(email: string): string
  /** Knowing the address of another person's device does not transfer it. */
  keepsOwner?: true
  /** A connected device may report a new address by itself (`POST /subscribers/:id/renew`). */
  renews?: true
  /** For connecting a device on the devices page, without scripts. */
  form?: ConnectForm
}

/** The typed input when a form is shown again; never secrets. */
export type TypedForm = { draft: Draft; problem: string; wrong: Wrong }

export type ConnectForm = {
  /** The id of its part of the page, which unfolds under `title`. */
  id: string
  title: string
  /** The path it is posted to. */
  path: string
  Form(props: { typed: TypedForm | undefined; person: Pick<Person, 'email'> }): ComponentChild
  /** The form as input of `POST /subscribers`. Throws `invalid_input`. */
  read(form: URLSearchParams): unknown
  /** The form to show again with its errors; failures that are not about fields are thrown on. */
  typed(form: URLSearchParams, error: unknown): TypedForm
}

/** The facts that the devices page needs to know of a channel. */
export type DeviceChannel = {
  /** Stored with each device as its transport. */
  name: string
  /** The kinds that its devices may have. */
  kinds: readonly SubscriberKind[]
  /** True if the devices belong to the workspace, not to the person who connected them. */
  isShared?: true
  /** Absent for channels that are connected on a page of their own. */
  connect?: ConnectContract
  /** Where its devices are connected, for the devices page, when not by a form there. */
  ownPage?: { to: string; name: string; what: string }
  /** The service that accepted a message for this device, as the beginning of a sentence. */
  service(device: Subscriber): string
}
