import type { Static, TObject, TProperties } from '@sinclair/typebox'
import type { ComponentChild } from 'preact'
import type { GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import type { Draft, Wrong } from '../../../platform/web/form-field.tsx'
import type { SubscribeInput } from './subscribe-fields.ts'
import type { Subscriber, SubscriberKind } from './subscriber.ts'

/** Where a device is reached, and what its service wants for it. */
export type Reachable = Pick<Subscriber, 'endpoint' | 'keys' | 'authorization'>

/** How a device of one channel is connected with `POST /subscribers`. */
export type ConnectContract<F extends TProperties = TProperties> = {
  /** Which addresses it takes; goes on after "The" in the description of `endpoint`. */
  endpoint: string
  /** What it wants beside the fields of every device; each optional, since other channels share the schema. */
  fields: F
  /** Checks the input; `refusal` says why an address may not be reached. Throws `invalid_input`. */
  read(input: SubscribeInput & Static<TObject<F>>, refusal: GuardedFetch['refusal']): Reachable
  /** A name for a device that nobody named. */
  label(input: SubscribeInput, userAgent: string | undefined): string
  /** Knowing the address of another person's device does not make it one's own. */
  keepsOwner?: true
  /** A connected device may move to another address by itself (`POST /subscribers/:id/renew`). */
  renews?: true
  /** For connecting one on the page of devices, without scripts. */
  form?: ConnectForm
}

/** What was typed before a form came back; never what is secret. */
export type TypedForm = { draft: Draft; problem: string; wrong: Wrong }

export type ConnectForm = {
  /** Where it is posted. */
  path: string
  Form(props: { typed: TypedForm | undefined }): ComponentChild
  /** The form as `POST /subscribers` takes it. Throws `invalid_input`. */
  read(form: URLSearchParams): unknown
  /** What the form comes back with; anything but wrong fields is thrown on. */
  typed(form: URLSearchParams, error: unknown): TypedForm
}

/** What the list of devices knows of a channel. */
export type DeviceChannel = {
  /** Stored with each device as its transport. */
  name: string
  /** What its devices may count as. */
  kinds: readonly SubscriberKind[]
  /** Channels that are connected on a page of their own have none. */
  connect?: ConnectContract
  /** Who took a message for this device, at the beginning of a sentence. */
  service(device: Subscriber): string
}
