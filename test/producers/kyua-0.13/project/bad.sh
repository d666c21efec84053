#!/bin/sh
echo "prüfen ü €"
exit 1
