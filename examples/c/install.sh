scripts/package-c
packages/c/install --build target/packages/c/build --prefix "$HOME/.local"
