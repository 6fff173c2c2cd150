# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Twofish under the names of other packages, for programs that cannot be changed at once.

`twofish`     the package `twofish` of PyPI, which Python 3.12 and later cannot import
`pykeepass`   the class that pykeepass reads and writes Twofish databases with

Nothing is replaced by an import; where a module has `install()`, that does it.
"""
