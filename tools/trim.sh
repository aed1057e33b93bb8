#!/bin/sh
# Remove from a virtual environment what the server never loads: installers, tests, headers, sources of extensions,
# notebook widgets, parts of Arrow and Pillow, and scripts of charts that no page draws. Pages keep what they need.
# usage: tools/trim.sh VENV
set -eu
rm -rf "$1/share/jupyter"
cd "$1"/lib/python3*/site-packages

rm -rf pip pip-*.dist-info setuptools setuptools-*.dist-info pkg_resources _distutils_hack distutils-precedence.pth
rm -rf pydeck/nbextension pandas/tests numpy/f2py numpy/distutils numpy/_core/include numpy/_core/lib
find numpy sqlalchemy -type d -name tests -prune -exec rm -rf {} +

rm -rf pyarrow/tests pyarrow/include pyarrow/includes pyarrow/src pyarrow/*.pyx pyarrow/*.pxd pyarrow/*.pxi
for part in flight python_flight s3; do rm -f pyarrow/*arrow_"$part"*; done
rm -f pyarrow/_flight* pyarrow/_substrait* pyarrow/_s3fs*
# the wheel holds three copies of each library, as it cannot hold links
for library in pyarrow/lib*.so.*.*.*; do
    [ -e "$library" ] || continue
    short=${library%.*.*}
    [ -e "$short" ] && ln -sf "$(basename "$short")" "$library" && ln -sf "$(basename "$short")" "${library%.so.*}.so"
done

rm -f PIL/_avif* pillow.libs/libavif*
find fontpkg_fira_sans/files -name '*.ttf' ! -name FiraSans-Regular.ttf ! -name FiraSans-SemiBold.ttf -delete
for chart in PlotlyChart DeckGlJsonChart EChartsChart GraphVizChart elk-; do rm -f streamlit/static/static/js/"$chart"*; done
