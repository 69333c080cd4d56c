import { useNavigate, useSearchParams } from 'react-router'

import { useAuth } from '../../session/auth-context.ts'
import { usePlace } from '../../session/place-context.ts'
import { useTheme } from '../../theme/theme-choice.ts'
import { useLive } from '../client/live-context.ts'
import { settingsGroups } from '../address/settings-sections.ts'
import { sectionsOf } from '../address/sections.ts'
import { useMay } from '../acting/use-may.ts'
import { useUrlState } from '../address/url-state.ts'
import { useSource } from '../client/use-source.ts'
import { commandsFor, type Command } from './commands.ts'

/** What the palette can do on this page. */
export function useCommands(): readonly Command[] {
  const place = usePlace()
  const { signInInfo } = useAuth()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { choose } = useUrlState()
  const { paused, setPaused } = useLive()
  const [, setTheme] = useTheme()
  const { clusters, chooseOne, chooseAll } = useSource()
  const may = useMay()
  const stopActing = (): void => {
    const asking = new URLSearchParams(search)
    asking.set('stop', 'ask')
    void navigate({ pathname: '/actions', search: String(asking) })
  }
  return commandsFor({
    sections: sectionsOf(place).filter(({ path }) => path !== '/settings'),
    settings: place.demo ? [] : settingsGroups(signInInfo?.mode).flatMap(({ sections }) => sections),
    clusters,
    paused,
    go: (path) => void navigate({ pathname: path, search: String(search) }),
    chooseCluster: chooseOne,
    chooseAllClusters: chooseAll,
    chooseRange: (range) => choose({ range }),
    setPaused,
    stopActing: may.see === true && may.decide ? stopActing : undefined,
    setTheme,
  })
}
