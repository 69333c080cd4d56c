/** What an answer may still try, in all of its searches together, so that it ends however large the cluster is. */
export type SearchEffort = {
  /** Rooms given to a pod, beyond the first way that a search takes. */
  rooms: number
  /** Regions looked at. */
  regions: number
  /** Regions whose pods a search tried to seat elsewhere. */
  clearings: number
}

export const newEffort = (): SearchEffort => ({ rooms: 10_000, regions: 40_000, clearings: 1000 })
