printf %s 0f673adf80504e2eaa552f5d791b644c | \
  snowmint token create --file tokens.toml --name shop --sources test,orders --text-from-stdin
