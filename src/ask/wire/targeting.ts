import { type Static, Type } from '@sinclair/typebox'
import { cleanLine } from '../../platform/text.ts'

/** Limits of tags; our own choice. */
export const TAG_MAX = 64
export const TAGS_MAX = 20

/** The targeting fields, shared by each input that has them. */
export const targetingFields = {
  externalIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Deliver only to devices with one of these external ids.',
    }),
  ),
  subscriberIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Deliver only to these devices, by subscriber id.' }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Deliver only to devices that carry any of these tags.',
    }),
  ),
}

/**
 * The devices to notify; without any field, every device. A device matches if any field names it.
 */
export const Targeting = Type.Object(targetingFields)
export type Targeting = Static<typeof Targeting>

/**
 * The fields of `input` that are not empty, cleaned like the names of devices, so that they compare
 * equal. A name that is empty after cleaning stays and matches nobody: without it the target would
 * be everybody.
 */
export function targetingOf(input: Targeting): Targeting {
  const { externalIds, subscriberIds, tags } = input
  return {
    ...(externalIds?.length ? { externalIds: externalIds.map(cleanLine) } : {}),
    ...(subscriberIds?.length ? { subscriberIds: subscriberIds.map(cleanLine) } : {}),
    ...(tags?.length ? { tags: tags.map(cleanLine) } : {}),
  }
}

/** Returns true if `targeting` names anything. */
export function anyTarget({ externalIds, subscriberIds, tags }: Targeting): boolean {
  return [externalIds, subscriberIds, tags].some((terms) => terms !== undefined && terms.length > 0)
}
