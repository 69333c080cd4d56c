/** Those who act on a cluster, for tests that let them die. Nothing here is part of the product. */
export { Actor, nothingRemembered, type ActorMemory } from './act/actor.ts'
export { writeAlertRules, writeChannels } from './alert-settings.ts'
export { tellOfRuns } from './alerts/tell-of-runs.ts'
export { openHand } from './act/hand.ts'
export { History } from './act/history.ts'
export { questionOf } from './act/judge-again.ts'
export { actionView } from './operations/actions/action-view.ts'
export { planDigest } from './content-digest.ts'
export {
  ALL_THE_WAY,
  CHANGE,
  END,
  estimated,
  keptFrom,
  look,
  recommendationOf,
  runOf,
  writePricedTruth,
} from './savings/scripted-usage.fixture.ts'
