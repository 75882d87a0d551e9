// A layout as code: each language's way to create it and mint with it.

/** The languages, in the order of the page. */
export const LANGUAGES = [
  { name: 'rust', title: 'Rust' },
  { name: 'python', title: 'Python' },
  { name: 'javascript', title: 'JavaScript' },
  { name: 'java', title: 'Java' },
  { name: 'c', title: 'C' },
  { name: 'shell', title: 'Command line' },
]

/** Returns the code in a language for `{ fields, epochMs, tickMs, workerId }`. */
export function snippetOf(language, layout) {
  return SNIPPETS[language](layout)
}

const SNIPPETS = {
  rust: ({ fields, epochMs, tickMs, workerId }) => `\
use snowmint::Mint;

let layout = snowmint::Layout::builder()
    .fields("${fields}")?
    .epoch_ms(${underscored(epochMs)})
    .tick_ms(${underscored(tickMs)})
    .build()?;
let flake = snowmint::Snowflake::builder().layout(layout).worker_id("${workerId}".parse()?).open()?;
println!("{}", flake.next_id()?);
`,
  python: ({ fields, epochMs, tickMs, workerId }) => `\
from snowmint import Layout, Snowflake

layout = Layout("${fields}", epoch=${underscored(epochMs)}, tick_ms=${underscored(tickMs)})
with Snowflake(worker_id=${workerId}, layout=layout) as flake:
    print(flake.next_id())
`,
  javascript: ({ fields, epochMs, tickMs, workerId }) => `\
import { Layout, Snowflake } from 'snowmint'

const layout = new Layout('${fields}', {
  epochMs: ${underscored(epochMs)},
  tickMs: ${underscored(tickMs)},
})
const flake = await Snowflake.open({ workerId: ${workerId}, layout })
console.log(flake.nextIdString())
flake.close()
`,
  java: ({ fields, epochMs, tickMs, workerId }) => `\
import io.github.snowmint.Layout;
import io.github.snowmint.Snowflake;
import java.time.Duration;
import java.time.Instant;

public class Mint {
  public static void main(String[] arguments) {
    Layout layout = Layout.of(
        "${fields}",
        Instant.ofEpochMilli(${underscored(epochMs)}L),
        Duration.ofMillis(${underscored(tickMs)}L));
    try (Snowflake flake = Snowflake.builder().workerId(${workerId}).layout(layout).open()) {
      System.out.println(Long.toUnsignedString(flake.nextId()));
    }
  }
}
`,
  c: ({ fields, epochMs, tickMs, workerId }) => `\
#include <inttypes.h>
#include <snowmint.h>
#include <stdio.h>

int main(void) {
  snowmint_layout *layout;
  snowmint_source *source;
  uint64_t id;
  snowmint_snowflake_options options = SNOWMINT_SNOWFLAKE_OPTIONS_INIT;
  if (snowmint_layout_fields("${fields}",
                             INT64_C(${epochMs}), ${tickMs}, &layout) != SNOWMINT_OK) {
    fprintf(stderr, "%s\\n", snowmint_last_message());
    return 1;
  }
  options.layout = layout;
  options.worker_id = "${workerId}";
  if (snowmint_source_open_snowflake(&options, &source) != SNOWMINT_OK ||
      snowmint_source_next(source, &id) != SNOWMINT_OK) {
    fprintf(stderr, "%s\\n", snowmint_last_message());
    return 1;
  }
  printf("%" PRIu64 "\\n", id);
  snowmint_source_free(source);
  snowmint_layout_free(layout);
  return 0;
}
`,
  shell: ({ fields, epochMs, tickMs, workerId }) => `\
snowmint layouts ${fields} \\
    --epoch-ms ${epochMs} --tick-ms ${tickMs}
snowmint id 'snowflake:?worker_id=${workerId}&layout=${fields}&epoch_ms=${epochMs}&tick_ms=${tickMs}'
`,
}

/** Returns digits in groups with underscores, which all languages but C and the shell accept. */
function underscored(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '_')
}
