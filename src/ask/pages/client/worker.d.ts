// What the service worker uses of its environment; TypeScript's own types of workers conflict with
// those of pages.

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface ReceivedPush extends WaitingEvent {
  /** Present where the browser reads Declarative Web Push. */
  readonly notification?: Notification
  readonly data: { json(): unknown } | null
}

interface TappedNotification extends WaitingEvent {
  readonly action: string
  /** The text typed into the notification, where the browser has a field for it (Chromium). */
  readonly reply?: string | null
  readonly notification: Notification
}

interface ChangedSubscription extends WaitingEvent {
  readonly oldSubscription: PushSubscription | null
  readonly newSubscription: PushSubscription | null
}

interface RequestedPage extends WaitingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface OpenTab {
  readonly url: string
  focus(): Promise<OpenTab>
  navigate(url: string): Promise<OpenTab | null>
}

interface BeckonWorker {
  readonly registration: ServiceWorkerRegistration
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<OpenTab[]>
    openWindow(url: string): Promise<OpenTab | null>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: RequestedPage) => void): void
  addEventListener(type: 'push', listener: (event: ReceivedPush) => void): void
  addEventListener(type: 'notificationclick', listener: (event: TappedNotification) => void): void
  addEventListener(
    type: 'pushsubscriptionchange',
    listener: (event: ChangedSubscription) => void,
  ): void
}

/** The addresses of the pictures of every notification; the server puts them before the script. */
declare const PICTURES: { readonly icon: string; readonly badge: string }
