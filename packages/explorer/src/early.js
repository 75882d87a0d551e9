// What has to be before anything is painted: the colours that were chosen.

import { apply, recall } from './theme.js'

apply(recall())
