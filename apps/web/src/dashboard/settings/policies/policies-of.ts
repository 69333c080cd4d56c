import type { Answer } from '../../../api.ts'
import { formText } from '../../../ui/form-text.ts'
import { typedNames } from '../../words/role-words.ts'

/** The policies as a form holds them: percent, minutes and hours become shares and seconds. */
export function policiesOf(data: FormData): Answer<'policiesGet'>['policies'] {
  const number = (name: string): number => Number(formText(data, name))
  const share = (name: string): number => Math.round(number(name) * 10) / 1000
  return {
    idle: { threshold: share('idleThreshold'), minimumSeconds: Math.round(number('idleMinimum') * 60) },
    rightSize: {
      memoryMargin: share('memoryMargin'),
      targetUtilization: share('targetUtilization'),
      minimumHistorySeconds: Math.round(number('minimumHistory') * 3600),
    },
    utilizationTarget: share('utilizationTarget'),
    plans: {
      maxDisplaced: Math.round(number('maxDisplaced')),
      protectedNamespaces: typedNames(formText(data, 'protectedNamespaces')) ?? [],
    },
  }
}
