# --8<-- [start:where]
export PKG_CONFIG_PATH="$HOME/.local/lib/pkgconfig"
libdir=$(pkg-config --variable=libdir snowmint)
# --8<-- [end:where]
# --8<-- [start:shared]
cc quickstart.c $(pkg-config --cflags --libs snowmint) -Wl,-rpath,"$libdir" -o quickstart
./quickstart
# --8<-- [end:shared]
# --8<-- [start:cpp]
c++ quickstart.cpp $(pkg-config --cflags --libs snowmint) -Wl,-rpath,"$libdir" -o quickstart
./quickstart
# --8<-- [end:cpp]
# --8<-- [start:static]
# By the archive's name: -lsnowmint would find the shared library.
cc quickstart.c $(pkg-config --cflags snowmint) "$libdir/libsnowmint.a" -lm -ldl -lpthread -o quickstart
./quickstart
# --8<-- [end:static]
c++ quickstart.cpp $(pkg-config --cflags snowmint) "$libdir/libsnowmint.a" -lm -ldl -lpthread -o quickstart
./quickstart
# --8<-- [start:alone]
cc -static quickstart.c $(pkg-config --static --cflags --libs snowmint) -o quickstart
./quickstart
# --8<-- [end:alone]
