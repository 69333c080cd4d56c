import { holderIn, hostsIn, type LabelTexts } from '@septet/domain'

import type { DeviceLabels } from './device-labels.ts'
import { internText } from './intern-text.ts'

/** What is known of an exporter beside its labels: it may take its pod's name for the host's. */
export type Given = { readonly node?: string | undefined; readonly hosts?: readonly string[] }

/** Who holds the device, and what names its host. */
export function readPlace(labels: LabelTexts, { hosts = [] }: Given): Pick<DeviceLabels, 'holder' | 'hosts'> {
  const held = holderIn(labels)
  const told = hostsIn(labels, held)
  const holder = held && {
    namespace: internText(held.namespace),
    pod: internText(held.pod),
    container: internText(held.container),
  }
  return { holder, hosts: told.length === 0 ? hosts : [...told.map(internText), ...hosts] }
}
