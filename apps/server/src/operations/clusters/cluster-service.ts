import type {
  connectionsActor,
  connectionsAdd,
  connectionsContexts,
  connectionsList,
  connectionsMetrics,
  connectionsRotate,
  connectionsTested,
  InputOf,
  OutputOf,
} from '@septet/contract'
import type { OpenCostFigures, Window } from '@septet/domain'

export type ConnectionView = OutputOf<typeof connectionsList>['connections'][number]
export type AddWish = InputOf<typeof connectionsAdd>
export type ConnectionWish = Omit<AddWish, 'name'>
export type TestView = OutputOf<typeof connectionsTested>

/** How clusters are added to and taken from a Septet that runs, handed to operations as a port. Everything throws `Refusal`. */
export type ClusterService = {
  /** Whether Septet runs in a pod. */
  readonly inCluster: boolean
  connections(): Promise<readonly ConnectionView[]>
  contexts(kubeconfig: string): Promise<OutputOf<typeof connectionsContexts>['contexts']>
  /** Begins a test; gives its id. */
  test(wish: ConnectionWish): Promise<string>
  /** Undefined for a test that is not known any more. */
  tested(id: string): Promise<TestView | undefined>
  add(wish: AddWish, by: string): Promise<OutputOf<typeof connectionsAdd>>
  rename(id: string, name: string): Promise<ConnectionView>
  /** Keeps where its metrics are. Secrets that are left out stay while the address does. */
  setMetrics(wish: InputOf<typeof connectionsMetrics>): Promise<ConnectionView>
  /** Keeps the actor's credentials, or takes them away where there is no kubeconfig. */
  setActor(wish: InputOf<typeof connectionsActor>): Promise<ConnectionView>
  /** Ends the token of its agent and makes another. */
  rotateAgentToken(id: string): Promise<OutputOf<typeof connectionsRotate>>
  /** What the OpenCost at an address says of a window. */
  openCost(address: string, window: Window): Promise<OpenCostFigures>
  remove(id: string, how: { readonly confirm: string; readonly deleteUsage: boolean }): Promise<void>
}
