import { HeroPlayer, type HeroWorkload } from './hero-player.ts'

/** What the page tells the worker; scenes come back. */
export type HeroOrder =
  | { readonly kind: 'plan'; readonly workload: HeroWorkload; readonly mix: number }
  | { readonly kind: 'play' | 'pause' }

let player: HeroPlayer | undefined

addEventListener('message', ({ data: order }: MessageEvent<HeroOrder>) => {
  if (order.kind === 'plan') {
    player ??= new HeroPlayer(order.workload, (scene) => postMessage(scene))
    player.planAnew(order.mix)
  } else if (order.kind === 'play') player?.play()
  else player?.pause()
})
