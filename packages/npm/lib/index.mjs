import snowmint from './index.js'

export const {
  Daily, IdService, Layout, PublicIdKeys, PublicIds, Ring, Segment, Sequences, Snowflake, SnowmintError,
  Store, UuidSource,
  backend, decode, detect, engine, errorCodes, events, format, guess, init, lazy, migrate, onRestore, open,
  openSync, parse, replacer, stringify, textForms, version,
} = snowmint
export default snowmint
