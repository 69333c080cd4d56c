import { useQueryClient } from '@tanstack/react-query'

import { tell } from '../../../api.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAnswer } from '../../client/use-answer.ts'
import { useSending } from '../../client/use-sending.ts'
import { Problem } from '../../form/Problem.tsx'
import { RULE_KINDS, toldTo } from './rule-words.ts'

/** Names a channel in all rules at once; gone once it is in all of them. */
export function AllRules({ channel }: { readonly channel: string }) {
  const queries = useQueryClient()
  const rules = useAnswer('alertRulesGet', {}).data?.rules
  const { busy, problem, run } = useSending()
  if (rules === undefined || RULE_KINDS.every((kind) => rules[kind].channels.includes(channel))) return undefined
  const tellAll = (): Promise<void> =>
    run(async () => {
      await tell('alertRulesPut', { rules: toldTo(rules, channel) })
      await queries.invalidateQueries({ queryKey: ['alertRulesGet'] })
      await queries.invalidateQueries({ queryKey: ['alertsPrometheusRule'] })
      return { done: `Every rule now notifies ${channel}.` }
    })
  return (
    <>
      <Button disabled={busy} aria-label={`Send all rules to ${channel}`} onClick={() => void tellAll()}>
        Send it all rules
      </Button>
      <Problem words={problem} />
    </>
  )
}
