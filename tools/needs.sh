#!/bin/sh
# needs.sh PYTHON CXX: ends with 1, and says what to install, where something is missing.
python=$1
cxx=$2
command -v "$python" >/dev/null || {
  echo "$python is missing: sudo apt-get install python3 python3-venv" >&2
  exit 1
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
  echo "$python is $("$python" --version 2>&1); Python 3.11 or newer is needed." >&2
  echo "Name one with: make PYTHON=python3.11 (sudo apt-get install python3.11 python3.11-venv)" >&2
  exit 1
}
command -v "$cxx" >/dev/null || {
  echo "The C++ compiler $cxx is missing: sudo apt-get install g++" >&2
  exit 1
}
echo '#include <span>' | "$cxx" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null || {
  echo "$cxx does not know C++20: GCC 11 or Clang 16 or newer is needed" \
    "(sudo apt-get install g++, or make CXX=...)." >&2
  exit 1
}
