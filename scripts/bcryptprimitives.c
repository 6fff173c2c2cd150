// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Rust takes random numbers from this library of Windows, which Wine has from version 9 on;
// scripts/test-dist puts this one in its place.

#include <windows.h>

#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *data, SIZE_T n_bytes)
{
    return RtlGenRandom(data, (ULONG)n_bytes);
}
