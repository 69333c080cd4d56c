import type { AdmissionRecord, ClusterRecord, Log } from '@septet/domain'

import type { KeyPair } from './x509.ts'

/** A cluster whose API server may ask, and what its new pods are judged by. It travels to the thread, so it is data. */
export type AskingCluster = Pick<ClusterRecord, 'id' | 'kind'> & {
  /** A packed `AdmissionView`; undefined before the cluster was read. */
  readonly view: Uint8Array | undefined
  /** Pods changed by Septet since it started, and how many of them no longer wait to be written down. */
  readonly changes: Changes
}
export type Changes = { readonly made: number; readonly settled: number }

export type ThreadSettings<StoreAddress> = {
  readonly host: string
  readonly port: number
  readonly store: StoreAddress
  readonly served: KeyPair
  /** What tells the addresses that were given out from guessed ones. */
  readonly tokenKey: Uint8Array
  readonly clusters: readonly AskingCluster[]
}

/** What the main thread tells the one that answers reviews. */
export type ToAdmission<StoreAddress> =
  | { readonly kind: 'begin'; readonly settings: ThreadSettings<StoreAddress> }
  /** A new certificate, for connections from now on. */
  | { readonly kind: 'serve'; readonly served: KeyPair }
  | { readonly kind: 'cluster'; readonly cluster: Omit<AskingCluster, 'changes'> }
  | { readonly kind: 'cluster-gone'; readonly id: string }
  | { readonly kind: 'settled'; readonly cluster: string; readonly settled: number }
  /** Asked again and again; whoever does not answer is hung. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'stop' }

/** What that thread tells. What it told before it died still arrives. */
export type FromAdmission =
  | { readonly kind: 'begun'; readonly port: number }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'alive' }
  | { readonly kind: 'record'; readonly cluster: string; readonly record: AdmissionRecord }
  | {
      readonly kind: 'log'
      readonly level: keyof Log
      readonly message: string
      readonly fields: Readonly<Record<string, unknown>> | undefined
    }
