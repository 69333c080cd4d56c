import type { ScenarioWay } from '@septet/domain'

export const WAY_WORDS = {
  today: 'Today’s layout',
  'best-fit': 'Best fit, as kube-scheduler',
  septet: 'Septet',
} satisfies Record<ScenarioWay, string>
