import * as snowmint from '/dist/snowmint.inline.mjs'
import { serve } from '/pages/minting.js'

serve(snowmint)
