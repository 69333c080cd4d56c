import { WHOLE_GPU_RESOURCE } from '../../gpu/whole-gpu.ts'
import { pointerKey } from '../../plan/documents/json-pointer.ts'
import type { GpuContainer } from '../../cluster/workload.ts'
import { ADMISSION_NOTE } from './admission-labels.ts'
import type { AskingPod } from './admission-pod.ts'

/** One operation of a JSON patch (RFC 6902); `add` puts a member in place of one that is there. */
export type PatchOperation = { readonly op: 'add'; readonly path: string; readonly value: unknown }

/** Makes every container that asks for the whole GPU ask for the instance, and writes down why. */
export function admissionPatch(
  { annotations, containers }: Pick<AskingPod, 'annotations' | 'containers'>,
  { resource, note }: { readonly resource: string; readonly note: string },
): readonly PatchOperation[] {
  const asking = containers.filter(({ gpus }) => gpus.some((gpu) => gpu.resource === WHOLE_GPU_RESOURCE))
  return [
    ...asking.flatMap((container) => containerPatch(container, resource)),
    annotations === undefined
      ? { op: 'add', path: '/metadata/annotations', value: { [ADMISSION_NOTE]: note } }
      : { op: 'add', path: `/metadata/annotations/${pointerKey(ADMISSION_NOTE)}`, value: note },
  ]
}

/** Requests of an extended resource have to equal its limits, so both are written. */
function containerPatch({ list, index, limits, requests }: GpuContainer, resource: string): readonly PatchOperation[] {
  const path = `/spec/${list}/${index}/resources`
  const instead = (quantities: Readonly<Record<string, string>>) => ({
    ...Object.fromEntries(Object.entries(quantities).filter(([name]) => name !== WHOLE_GPU_RESOURCE)),
    [resource]: '1',
  })
  return [
    { op: 'add', path: `${path}/limits`, value: instead(limits) },
    { op: 'add', path: `${path}/requests`, value: instead(requests) },
  ]
}
