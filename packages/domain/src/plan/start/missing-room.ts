/** Pods that lack one device each. */
export type MissingRoom = {
  readonly device: string
  readonly pods: number
  /** Nodes that would take the pods if they had the devices, with how many CPU and memory leave room for. */
  readonly roomy: ReadonlyMap<string, number>
}
