import snowmint from './index.js'

export const {
  Daily, Layout, Segment, Sequences, Snowflake, SnowmintError, Store, UuidSource,
  detect, engine, errorCodes, format, guess, open, openSync, parse, replacer, stringify, textForms,
  version,
} = snowmint
export default snowmint
