<?php
// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Answers requests with phpseclib: a line in, a line out, as interop/peer.py describes. The requests are
// "version" and "encrypt-MODE" or "decrypt-MODE" with a key, an initial block, associated data and a text.

require_once 'phpseclib3/autoload.php';

const TAG = 16;

function crypt_message(bool $encrypting, string $mode, string $key, string $iv, string $aad, string $data): string
{
    $cipher = new phpseclib3\Crypt\Twofish($mode);
    $cipher->disablePadding();
    $cipher->setKey($key);
    if ($mode === 'gcm') {
        $cipher->setNonce($iv);
        $cipher->setAAD($aad);
        if (!$encrypting) {
            $cipher->setTag(substr($data, -TAG));
            return $cipher->decrypt(substr($data, 0, -TAG));
        }
        return $cipher->encrypt($data) . $cipher->getTag(TAG);
    }
    if ($iv !== '') $cipher->setIV($iv);
    return $encrypting ? $cipher->encrypt($data) : $cipher->decrypt($data);
}

while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    [$verb, $mode] = [...explode('-', array_shift($words)), ''];
    try {
        $given = array_map('hex2bin', $words);
        $out = $verb === 'version' ? PHP_VERSION : crypt_message($verb === 'encrypt', $mode, ...$given);
        echo 'ok ', bin2hex($out), "\n";
    } catch (Throwable $error) {
        echo 'refused ', strtr($error->getMessage(), "\n", ' '), "\n";
    }
}
