import { migPartitionId, type JudgedSample } from '@septet/domain'

/** The id of the partition a sample is about. */
export const samplePartition = ({ gpu, instance, vgpu }: JudgedSample): string => {
  if (instance !== undefined) return migPartitionId(gpu, instance.id)
  return vgpu === undefined ? gpu : `${gpu}/replica-${vgpu}`
}
