module manyfish/interop

go 1.20

require golang.org/x/crypto v0.31.0
