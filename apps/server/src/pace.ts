/** How often a cluster is looked at and thought about, and how far back. Each is a setting. */
export type Pace = {
  /** Between two readings of telemetry. */
  readonly pollSeconds: number
  /** Between two writings of what was measured: what a crash may lose. */
  readonly storeSeconds: number
  /** Between two makings of recommendations. */
  readonly recommendSeconds: number
  /** How much of a metrics engine's past is read on first contact. */
  readonly historyDays: number
}
