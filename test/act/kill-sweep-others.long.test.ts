import { killAtEveryMoment } from './kill-at-every-moment.ts'
import { SWEPT_PLANS } from './swept-plans.ts'

killAtEveryMoment(SWEPT_PLANS.filter((_, index) => index % 2 === 1))
