/** What a benchmark replays stored hours with. Nothing else may import it. */
export { SHADOW_LIMITS } from './composition/shadow-thread.ts'
export { replayHistory, type ReplayQuestion } from './operations/shadow/replay-history.ts'
